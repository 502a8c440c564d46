/**
 * The one clock of the process. Money and codes are decided by the clock of the database, not by
 * this one.
 */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
