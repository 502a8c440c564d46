/** The one place that reads SQLSTATE and the driver's own errors. */

const AWAY_STATES = new Set([
  '57014', // the statement took too long
  '55P03', // a lock could not be had in time
  '57P01', // shutting down
  '57P02', // crashed
  '57P03', // starting up
  '25006', // a standby: the primary has moved
  '55000', // not accepting connections
]);
// Connection, out of resources, system, and who we are or where we want to go refused.
const AWAY_CLASSES = new Set(['08', '53', '58', '28', '3D']);
const AWAY_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
// The driver raises these without any code.
const AWAY_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|connection error and is not queryable|Cannot use a pool after calling end/;

function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The database could not be asked, or not in time. Nothing is known about what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) {
    if (AWAY_STATES.has(state) || AWAY_SYSTEM.has(state)) return true;
    if (state.length === 5 && AWAY_CLASSES.has(state.slice(0, 2))) return true;
  }
  return error instanceof Error && AWAY_MESSAGES.test(error.message);
}

/**
 * Somebody else may hold a row that was needed: it was waited for too long, as such or together
 * with everything else the statement did.
 */
export function mayBeHeld(error: unknown): boolean {
  const state = sqlState(error);
  return state === '55P03' || state === '57014';
}

// The statement had left when these came up; whether it was committed, nobody has said.
const UNANSWERED_STATES = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const UNANSWERED_MESSAGES =
  // A connection that could not even be opened in time has asked nothing.
  /Connection terminated(?! due to connection timeout)|Query read timeout/;

/** What was asked may have been done all the same, or may still be done by a server that hung. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (UNANSWERED_STATES.has(sqlState(error) ?? '')) return true;
  return error instanceof Error && UNANSWERED_MESSAGES.test(error.message);
}

/** Two transactions got in each other's way; the same one can simply be run again. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

/** The values were at fault, not the database: such an item must not fail its neighbours. */
export function isBadValue(error: unknown): boolean {
  const sqlClass = sqlState(error)?.slice(0, 2);
  return sqlClass === '22' || sqlClass === '23';
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    sqlState(error) === '23505' && (error as { constraint?: string }).constraint === constraint
  );
}
