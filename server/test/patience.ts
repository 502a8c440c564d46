/**
 * What a statement of the database may take where a test is not about that. The machine may be busy
 * with others, and a service that says so is no failure.
 */
export const PATIENT_MS = 15_000;
