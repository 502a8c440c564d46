import fc from 'fast-check';

/** The part of JSON Schema that the API uses. */
export type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: string[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
};

/** The value is JSON text, so that it can also be invalid JSON. */
export type JsonField = { name: string; value: string };

/** The fields of bodies that match the schema. */
export function schemaArbitrary(schema: Schema): fc.Arbitrary<JsonField[]> {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const field = fieldArbitrary(name, property).map((value) => ({ name, value }));
    return required.has(name) ? field : fc.option(field, { nil: undefined });
  });
  return fc.tuple(...fields).map((found) => found.filter((field) => field !== undefined));
}

function fieldArbitrary(name: string, schema: Schema): fc.Arbitrary<string> {
  if (name === 'phone') return phone().map(toJson);
  if (name === 'url' || name === 'link') return webAddress().map(toJson);
  if (name === 'group') {
    return fc.oneof(fc.constantFrom('Дежурные', '-1001', '1'), HOSTILE_TEXT).map(toJson);
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum).map(toJson);
  if (schema.type === 'integer') {
    return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 2 ** 31 }).map(toJson);
  }
  return textArbitrary(schema).map(toJson);
}

function toJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Texts that match the schema, including the maximum length. */
function textArbitrary(schema: Schema): fc.Arbitrary<string> {
  const { pattern, minLength = 1, maxLength = 100 } = schema;
  if (pattern !== undefined) {
    return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength));
  }
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 80) }),
    fc.constantFrom('x'.repeat(maxLength), 'ж'.repeat(maxLength), ':link'.repeat(20)),
  );
}

/** Random phones in usual spellings; never a magic test phone. */
function phone(): fc.Arbitrary<string> {
  const digits = fc.integer({ min: 1_000_000, max: 9_999_999 }).map(String);
  return fc
    .tuple(
      fc.constantFrom('+7701', '8701', '701', '7 (702) ', '+7-705-', '007708', '+4479', '+1202'),
      digits,
    )
    .map(([start, rest]) => start + rest);
}

function webAddress(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom(
      'https://example.kz',
      'http://пример.қаз/путь?к=значение',
      'http://127.0.0.1:1/',
      'https://example.kz/\u202e\t\r\nx',
      `https://example.kz/${'x'.repeat(2_029)}`,
    ),
  );
}

const NASTY_TEXTS = [
  '',
  ' ',
  '\u202e',
  '\ufeff',
  '\ufffe',
  '\u2028',
  '\x7f',
  "'; drop table code; --",
  '$1',
  '{{7*7}}',
  '%s%n%00',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'Дежурные',
  '👩‍👩‍👧‍👦',
  '+77000000000',
  '+7701123456７',
  '１２３４５６',
  'javascript:alert(1)',
  'http://user:pass@example.kz',
  'http://[::1',
  'http://0x7f.1/',
  'ftp://example.kz',
  'http://localhost/s/x',
  'x'.repeat(64),
  'x'.repeat(65),
  'ж'.repeat(2_049),
  'ﷺ'.repeat(500),
];

export const HOSTILE_TEXT: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 })
    .map((codes) => String.fromCodePoint(...codes)),
);

const NASTY_JSON = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '123456789012345678901234567890',
  '"10"',
  '[]',
  '{}',
  '[[[[[[[[[]]]]]]]]]',
  '{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":1}}}}}}}}',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  'NaN',
  '01',
  "'x'",
  '',
];

/** Any JSON value as text, and some invalid JSON. */
export const HOSTILE_VALUE: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NASTY_JSON),
  HOSTILE_TEXT.map(toJson),
  fc.json({ maxDepth: 3 }),
  fc.double().map(String),
  fc.bigInt().map(String),
);

/** The query of a page or of the inbox, never with `wait`. */
export function queryArbitrary(): fc.Arbitrary<string> {
  const name = fc.constantFrom('lang', 'phone', 'since', '__proto__', 'constructor', 'wait[]', 'x');
  const value = fc.oneof(
    fc.constantFrom(
      'ru',
      'kk',
      '+77011234567',
      '%2B77011234567',
      '2026-01-01',
      '%zz',
      '%00',
      '%ff',
    ),
    fc.stringMatching(/^[!-"$-~]{0,20}$/),
  );
  return fc.array(fc.tuple(name, value), { maxLength: 4 }).map((pairs) => {
    if (pairs.length === 0) return '';
    return `?${pairs.map(([key, text]) => `${key}=${text}`).join('&')}`;
  });
}
