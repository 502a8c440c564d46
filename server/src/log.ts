import pino, { type Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The log of this process, on stderr. Only short-lived processes write it synchronously. */
export function createLog(level: LogLevel, options: { sync: boolean }): Logger {
  const destination = pino.destination({ dest: 2, sync: options.sync });
  return pino({ level, serializers: { err: describeError } }, destination);
}

/** The SQLSTATE class of errors about a value, which quote it. */
const BAD_VALUE_CLASS = '22';

type DatabaseFields = { code?: string; table?: string; constraint?: string; where?: string };

/**
 * The fields of an error that are logged. The database adds the row it refused, with the phone in
 * it, and the values it was given: those are left out, also where they are quoted in its message.
 */
export function describeError(error: Error & DatabaseFields): object {
  const described = pino.stdSerializers.err(error);
  const { code, table, constraint } = error;
  const withoutValues = (text: string) =>
    code?.startsWith(BAD_VALUE_CLASS) ? text.replaceAll(/"[^"]*"/g, '"…"') : text;
  const { type } = described;
  const message = withoutValues(described.message);
  const stack = withoutValues(described.stack);
  const where = error.where?.match(/^PL\/pgSQL function .*$/gm)?.join('; ');
  return { type, message, stack, code, table, constraint, where };
}
