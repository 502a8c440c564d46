/** The one place that reads SQLSTATE and the driver's own errors. */
import type { Logger } from 'pino';

const AWAY_STATES = new Set([
  '57014', // statement timeout
  '55P03', // lock timeout
  '57P01', // shutting down
  '57P02', // crashed
  '57P03', // starting up
  '25006', // read-only: a standby after a failover
  '55000', // not accepting connections
]);
// Connection failure, out of resources, system error, refused user or password, no such database.
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
/** There was no connection, so the statement was not sent. */
const UNCONNECTED_MESSAGES =
  /timeout exceeded when trying to connect|^timeout expired$|due to connection timeout|connection error and is not queryable|Cannot use a pool after calling end/;
/** The statement was sent and may have been committed. */
const UNANSWERED_MESSAGES = /Connection terminated|Query read timeout/;

function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/**
 * The database could not be reached, or did not answer in time. Whether the statement ran is
 * unknown.
 */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) {
    if (AWAY_STATES.has(state) || AWAY_SYSTEM.has(state)) return true;
    if (state.length === 5 && AWAY_CLASSES.has(state.slice(0, 2))) return true;
  }
  if (!(error instanceof Error)) return false;
  return UNCONNECTED_MESSAGES.test(error.message) || UNANSWERED_MESSAGES.test(error.message);
}

/** For work that is retried: an outage of the database is logged once, elsewhere. */
export function logUnlessAway(log: Logger, what: string): (error: unknown) => void {
  return (error) => {
    if (!isDatabaseAway(error)) log.error({ err: error }, what);
  };
}

/**
 * Another transaction may lock a needed row: the lock timeout passed, or the statement timeout
 * while it waited.
 */
export function isLockOrStatementTimeout(error: unknown): boolean {
  const state = sqlState(error);
  return state === '55P03' || state === '57014';
}

/** The statement writes, and this server only reads. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** The statement timeout of the connection passed. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** The lock timeout of the connection passed. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** There was no connection, so the statement was not sent. */
const UNCONNECTED_SYSTEM = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN']);
// The server stopped during the statement. Any other error of the server rolls the statement back.
const UNANSWERED_STATES = new Set(['57P01', '57P02', '57P05']);

/** The statement may have been committed all the same, or may yet be by a server that hung. */
export function isOutcomeUnknown(error: unknown): boolean {
  const state = sqlState(error);
  if (state === undefined) {
    return !(error instanceof Error && UNCONNECTED_MESSAGES.test(error.message));
  }
  if (/^E[A-Z]/.test(state)) return !UNCONNECTED_SYSTEM.has(state);
  return UNANSWERED_STATES.has(state) || state.startsWith('08');
}

/** A serialisation failure or a deadlock: the transaction can be run again. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

/** The values are at fault, not the database: such an item must not fail the rest of its batch. */
export function isBadValue(error: unknown): boolean {
  const sqlClass = sqlState(error)?.slice(0, 2);
  return sqlClass === '22' || sqlClass === '23';
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    sqlState(error) === '23505' && (error as { constraint?: string }).constraint === constraint
  );
}

/** `create or replace` cannot change the result or the names of the arguments of a function. */
export function isChangedSignature(error: unknown): boolean {
  return sqlState(error) === '42P13';
}

/** A table, column, function or type that the statement names is not there. */
export function isUnknownName(error: unknown): boolean {
  return ['42P01', '42703', '42883', '42704'].includes(sqlState(error) ?? '');
}

/** The driver has stopped waiting for the answer; the server may be at work still. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
