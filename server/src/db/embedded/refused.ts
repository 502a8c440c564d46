/**
 * The embedded database cannot be used, for a reason that a person can fix: the message says how.
 */
export class EmbeddedRefused extends Error {}
