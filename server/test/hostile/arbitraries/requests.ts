/** Generates requests from the OpenAPI description: valid ones and mutations of them. */
import fc from 'fast-check';
import { describeApi } from '../../../src/http/api/openapi.ts';
import { type CallerKeys, headers } from './headers.ts';
import {
  HOSTILE_TEXT,
  HOSTILE_VALUE,
  type JsonField,
  queryArbitrary,
  type Schema,
  schemaArbitrary,
} from './values.ts';

/** A request before serialization; plain values, so that fast-check can shrink it. */
export type Generated = {
  method: string;
  path: string;
  headers: [string, string][];
  body: Uint8Array | undefined;
  /** Positions and XOR values of corrupted bytes; with any, the outcome is not predictable. */
  flips: [number, number][];
};

type Operation = {
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } };
};
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const description = describeApi('http://localhost') as unknown as Description;

type Endpoint = { path: string; schema: Schema };
const ENDPOINTS: Endpoint[] = Object.entries(description.paths).flatMap(([path, methods]) => {
  const reference = methods.post?.requestBody?.content['application/json'].schema.$ref;
  const schema = description.components.schemas[reference?.split('/').at(-1) ?? ''];
  return schema === undefined ? [] : [{ path: `/api${path}`, schema }];
});

/** Requests of callers with these keys. */
export function requestArbitrary(keys: CallerKeys): fc.Arbitrary<Generated> {
  return fc.oneof(
    { arbitrary: apiRequest(keys), weight: 14 },
    { arbitrary: wrongPathRequest(keys), weight: 3 },
    { arbitrary: pageRequest(keys), weight: 3 },
  );
}

function apiRequest(keys: CallerKeys): fc.Arbitrary<Generated> {
  const sent = headers(keys);
  return fc.oneof(
    ...ENDPOINTS.map(({ path, schema }) =>
      fc.record({
        method: fc.constant('POST'),
        path: fc.constant(path),
        headers: sent,
        body: body(schema),
        flips: flips(),
      }),
    ),
  );
}

/** Corrupts a few bytes of one request in 25. */
function flips(): fc.Arbitrary<[number, number][]> {
  const flip = fc.tuple(fc.nat(600), fc.integer({ min: 1, max: 255 }));
  return fc.oneof(
    { arbitrary: fc.constant<[number, number][]>([]), weight: 24 },
    { arbitrary: fc.array(flip, { minLength: 1, maxLength: 4 }), weight: 1 },
  );
}

/** A valid body, or one with replaced, missing, repeated or unknown fields, or corrupted. */
function body(schema: Schema): fc.Arbitrary<Uint8Array> {
  const valid = schemaArbitrary(schema);
  const names = Object.keys(schema.properties ?? {});
  const change = fc.oneof(
    fc.record({
      does: fc.constant('replace' as const),
      name: fc.constantFrom(...names),
      value: HOSTILE_VALUE,
    }),
    fc.record({ does: fc.constant('remove' as const), name: fc.constantFrom(...names) }),
    fc.record({ does: fc.constant('add' as const), name: HOSTILE_TEXT, value: HOSTILE_VALUE }),
    fc.record({
      does: fc.constant('repeat' as const),
      name: fc.constantFrom(...names),
      value: HOSTILE_VALUE,
    }),
  );
  const changed = fc
    .tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([fields, changes]) => changes.reduce(applyChange, fields));
  return fc.oneof(
    { arbitrary: valid.map(toBytes), weight: 5 },
    { arbitrary: changed.map(toBytes), weight: 5 },
    {
      arbitrary: fc
        .tuple(valid.map(toBytes), fc.nat(200))
        .map(([bytes, cut]) => bytes.slice(0, cut)),
      weight: 1,
    },
    {
      arbitrary: fc.tuple(valid.map(toBytes), fc.nat(), fc.nat(255)).map(([bytes, at, value]) => {
        if (bytes.length > 0) bytes[at % bytes.length] = value;
        return bytes;
      }),
      weight: 1,
    },
    { arbitrary: fc.uint8Array({ maxLength: 60 }), weight: 1 },
    { arbitrary: HOSTILE_VALUE.map((text) => Buffer.from(text)), weight: 1 },
  );
}

type Change =
  | { does: 'replace' | 'add' | 'repeat'; name: string; value: string }
  | { does: 'remove'; name: string };

function applyChange(fields: JsonField[], change: Change): JsonField[] {
  switch (change.does) {
    case 'replace':
      return fields.map((field) =>
        field.name === change.name ? { name: field.name, value: change.value } : field,
      );
    case 'remove':
      return fields.filter((field) => field.name !== change.name);
    default:
      return [...fields, { name: change.name, value: change.value }];
  }
}

function toBytes(fields: JsonField[]): Uint8Array {
  const pairs = fields.map(({ name, value }) => `${JSON.stringify(name)}:${value}`);
  return Buffer.from(`{${pairs.join(',')}}`);
}

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'HEAD',
  'QUERY',
  'PURGE',
];

/** Paths of printable characters without spaces, and some percent escapes. */
function pathText(): fc.Arbitrary<string> {
  const part = fc.oneof(
    fc.constantFrom(
      'api',
      'otp',
      'send',
      'links',
      'health',
      's',
      'docs',
      'errors',
      'try',
      'assets',
      '..',
      '.',
      '',
      '%00',
      '%2e',
      '%2f',
      '%zz',
      '%ff',
      '__proto__',
      'constructor',
      '*',
      '\\',
      ';',
    ),
    fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    fc.stringMatching(/^[!-~]{1,20}$/),
    fc.constantFrom('x'.repeat(150), 'x'.repeat(2_000)),
  );
  return fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
}

function wrongPathRequest(keys: CallerKeys): fc.Arbitrary<Generated> {
  const known = fc.constantFrom(
    '/api/health',
    '/api/openapi.json',
    ...ENDPOINTS.map(({ path }) => path),
  );
  return fc.record({
    method: fc.constantFrom(...METHODS),
    path: fc.oneof(
      known,
      pathText(),
      fc.tuple(known, pathText()).map(([start, more]) => start + more),
    ),
    headers: headers(keys),
    body: fc.option(fc.uint8Array({ maxLength: 40 }), { nil: undefined }),
    flips: flips(),
  });
}

/** Requests to pages, short links and the sandbox. */
function pageRequest(keys: CallerKeys): fc.Arbitrary<Generated> {
  const address = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(
          '/',
          '/docs',
          '/docs/errors',
          '/docs/search',
          '/docs/api/console',
          '/llms.txt',
          '/pricing',
          '/changelog.atom',
          '/status',
          '/status/summary.json',
          '/sitemap.xml',
          '/try',
          '/try/session',
          '/try/switches',
          '/sandbox/messages',
          '/assets/x.js',
        ),
        queryArbitrary(),
      )
      .map(([path, query]) => path + query),
    fc
      .tuple(
        fc.constantFrom('/docs/', '/docs/errors/', '/s/', '/try/messages/', '/assets/'),
        pathText(),
      )
      .map(([start, text]) => start + text.slice(1)),
    fc
      .tuple(
        fc.constantFrom('/docs/', '/docs/errors/', '/s/', '/try/messages/'),
        fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/),
      )
      .map(([start, text]) => start + text),
    fc.uuid().map((id) => `/try/messages/${id}`),
  );
  const reading = fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'DELETE'),
    path: address,
    headers: headers(keys),
    body: fc.constant(undefined),
    flips: fc.constant<[number, number][]>([]),
  });
  const switching = fc.record({
    method: fc.constant('PUT'),
    path: fc.constant('/try/switches'),
    headers: headers(keys),
    body: switches(),
    flips: fc.constant<[number, number][]>([]),
  });
  return fc.oneof({ arbitrary: reading, weight: 9 }, { arbitrary: switching, weight: 1 });
}

/** Never a valid switch that makes a channel refuse, because later sends must succeed. */
function switches(): fc.Arbitrary<Uint8Array> {
  const value = fc.oneof(
    fc.constant('false'),
    HOSTILE_VALUE.filter((text) => text.trim() !== 'true'),
  );
  return fc
    .record({
      no_whatsapp: value,
      no_telegram: value,
      offline: fc.constantFrom('true', 'false'),
      not_mobile: value,
    })
    .map((fields) =>
      toBytes(Object.entries(fields).map(([name, text]) => ({ name, value: text }))),
    );
}
