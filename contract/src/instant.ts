import Format from 'typebox/format';

/** The years that the database, every client and an ISO text of four digits all have. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Whether a text is an instant in ISO form that can be compared with stored ones. There is no year
 * 0, and `Date` knows no second 60, which the ISO form allows.
 */
export function isInstant(text: string): boolean {
  if (!Format.IsDateTime(text)) return false;
  const ms = Date.parse(text);
  return ms >= EARLIEST_MS && ms <= LATEST_MS;
}
