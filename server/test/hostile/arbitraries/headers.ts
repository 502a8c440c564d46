import fc from 'fast-check';

/** Keys that are accepted, and keys that are refused. */
export type CallerKeys = { valid: string[]; refused: string[] };

/** Mostly a valid key and content type, with some other headers. */
export function headers({ valid, refused }: CallerKeys): fc.Arbitrary<[string, string][]> {
  const key = fc.oneof(
    { arbitrary: fc.constantFrom(...valid).map((text) => `Bearer ${text}`), weight: 30 },
    { arbitrary: fc.constantFrom(...refused).map((text) => `Bearer ${text}`), weight: 2 },
    { arbitrary: headerText().map((text) => `Bearer ${text}`), weight: 1 },
    {
      arbitrary: fc.constantFrom('', 'Bearer', 'Basic eDp5', 'bearer  x', 'Bearer a b'),
      weight: 1,
    },
  );
  const type = fc.oneof(
    {
      arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8'),
      weight: 60,
    },
    {
      arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'a/b;', '*'),
      weight: 1,
    },
    { arbitrary: headerText(), weight: 1 },
  );
  const other = fc.tuple(
    fc.constantFrom(
      'x-request-id',
      'idempotency-key',
      'origin',
      'referer',
      'accept-language',
      'x-forwarded-for',
      'cookie',
      'user-agent',
      'range',
      'if-none-match',
    ),
    fc.oneof(fc.constantFrom('1', 'https://shop.kz', 'order-42'), headerText()),
  );
  return fc
    .tuple(
      fc.option(key, { freq: 30 }),
      fc.option(type, { freq: 30 }),
      fc.array(other, { maxLength: 3 }),
    )
    .map(([authorization, contentType, others]): [string, string][] => [
      ...(authorization === null ? [] : [['authorization', authorization] as [string, string]]),
      ...(contentType === null ? [] : [['content-type', contentType] as [string, string]]),
      ...others,
    ]);
}

/** Any text that is allowed in a header value. */
function headerText(): fc.Arbitrary<string> {
  const character = fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0x80, max: 0xff }),
  );
  return fc
    .array(character, { maxLength: 300, size: 'medium' })
    .map((codes) => String.fromCharCode(...codes));
}
