/**
 * Values that break the assumptions of code: what PostgreSQL cannot store or compare, what overflows
 * a number or a date, what looks like a property of every object.
 */

export const HOSTILE_TEXTS = [
  '\0',
  'a\0b',
  // No byte of it is invalid; the text is: half of a character.
  '\ud800',
  'a\udc00',
  '\u{10ffff}',
  '\ufffe\uffff',
  '\u202e\u2066\u200b\ufeff',
  '\x01\x08\x0b\x1b\x1f\x7f\x85',
  '\r\nset-cookie: a=b',
  ' ',
  '%00',
  '%',
  '_',
  '\\',
  "'; drop table message; --",
  '{{7*7}}',
  '../../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  '[object Object]',
  'x'.repeat(5_000),
  'ж'.repeat(65),
  '🇰🇿'.repeat(16),
] as const;

export const HOSTILE_DATES = [
  '0000-01-01T00:00:00Z',
  '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00+23:59',
  '-000001-01-01T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-23:59',
  '2026-02-29T00:00:00Z',
  '2026-06-30T23:59:60Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00.000000000000000000001Z',
  '2026-01-01t00:00:00z',
  '2026-01-01',
  'infinity',
  '-infinity',
  'epoch',
  'now',
] as const;

export const HOSTILE_NUMBERS = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1e3',
  '1e308',
  '1e400',
  '0x10',
  '٣',
  'NaN',
  '2147483648',
  '-2147483649',
  '4294967296',
  '999999999999999',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '99999999999999999999999999999999999999',
] as const;

/** Cursors and ids of the right form with parts that are out of range. */
export const HOSTILE_IDS = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF',
  '{0199a1b2-0000-7000-8000-000000000000}',
  '99999999999999999.a',
  '00000000000000000.a',
  '~9999999999999999:a',
  '~9007199254740991:a',
  'ffffffff-ffff-ffff-ffff-ffffffffffff~9007199254740991:a',
  '~',
] as const;

/** As they stand in a URL: bytes that are no UTF-8, and escapes that are none. */
export const HOSTILE_ESCAPES = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%C0%80',
  '%FF',
  '%F8%88%80%80%80',
  '%u0000',
  '%',
  '%2',
  '%zz',
  '%2F%2E%2E%2F',
  '%0D%0A',
  '+',
  ';',
  '..;/',
] as const;

/**
 * As they stand in a path, one for each way in which an id is read: by its length, as a number of 32,
 * 53 or 64 bits, as a UUID, as a name in an object, or as a text in a statement. No path has a date.
 */
export const HOSTILE_PATHS = [
  ...[
    'a\0b',
    '\u{10ffff}',
    '\u202e\u2066\u200b\ufeff',
    '\x01\x08\x0b\x1b\x1f\x7f\x85',
    '\r\nset-cookie: a=b',
    ' ',
    '%',
    '_',
    '\\',
    "'; drop table message; --",
    '__proto__',
    'constructor',
    'x'.repeat(5_000),
    'infinity',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '٣',
    'NaN',
    '2147483648',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF',
    '{0199a1b2-0000-7000-8000-000000000000}',
    '~9007199254740991:a',
  ].map((text) => encodeURIComponent(text)),
  '%ED%A0%80',
  '%FF',
  '%zz',
  '%2F%2E%2E%2F',
  '..;/',
] as const;

/** As they stand in a JSON body, in place of a field. */
export const HOSTILE_JSON = [
  ...[...HOSTILE_TEXTS, ...HOSTILE_DATES, ...HOSTILE_NUMBERS, ...HOSTILE_IDS].map((text) =>
    JSON.stringify(text),
  ),
  'null',
  'true',
  '[]',
  '{}',
  '[[null]]',
  '{"__proto__":{"a":1}}',
  '0',
  '-1',
  '1.5',
  '1e308',
  '1e400',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
] as const;
