/**
 * The statement timeout in tests that are not about timeouts. It is generous, because on a busy
 * machine the service would answer 503 and the test would fail for no fault of the code.
 */
export const TEST_DATABASE_TIMEOUT_MS = 15_000;
