/**
 * The one clock of the process. What decides about money and codes is the clock of the database,
 * not this one.
 */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
