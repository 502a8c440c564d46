/** `npm test -- RING --full` runs all repetitions and asserts the strict time limits. */
export const IS_FULL = process.env.ZHIBER_TEST_FULL === '1';
