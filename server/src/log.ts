import pino, { type Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The log of this process, on stderr. Only short-lived processes write it synchronously. */
export function createLog(level: LogLevel, options: { sync: boolean }): Logger {
  const destination = pino.destination({ dest: 2, sync: options.sync });
  return pino({ level, serializers: { err: describeError } }, destination);
}

type DatabaseFields = { code?: string; table?: string; constraint?: string; where?: string };

/**
 * The fields of an error that are logged. The database adds the row it refused, with the phone in
 * it, and the values it was given: those are left out.
 */
function describeError(error: Error & DatabaseFields): object {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, table, constraint } = error;
  const where = error.where?.match(/^PL\/pgSQL function .*$/gm)?.join('; ');
  return { type, message, stack, code, table, constraint, where };
}
