/**
 * Generated from the contract: every path parameter, query parameter and body field of every
 * endpoint, each with every hostile value (without a full run, a path parameter with one of each kind, and
 * every tenth of the values that a field accepts). A value may be refused or accepted, but never be a fault
 * of the service, and a refusal has a code and a Russian text. What a schema refuses never reaches
 * the code of an endpoint: each schema refuses all such values here, and each field is sent one
 * value for each way in which its schema refuses.
 */
import assert from 'node:assert/strict';
import { parse as parseQuery } from 'node:querystring';
import { before, describe, test } from 'node:test';
import type { AdminEndpoint } from '@zhiber/contract/admin/endpoint.ts';
import { ADMIN_ENDPOINTS } from '@zhiber/contract/admin/endpoints.ts';
import { ENDPOINTS, type Endpoint } from '@zhiber/contract/api/endpoints.ts';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import type { TSchema } from 'typebox';
import { bodyReader, parseBody } from '../../src/http/transport/body.ts';
import { queryReader } from '../../src/http/transport/page-call.ts';
import { newId, type PersonId } from '../../src/ids.ts';
import { insertOperatorSession } from '../../src/operators/operator-session-store.ts';
import { PROBLEMS, Problem } from '../../src/problem.ts';
import { newToken } from '../../src/token.ts';
import { createAdminClient } from '../admin/admin-client.ts';
import { createCabinetClient, type TestPerson } from '../cabinet/cabinet-client.ts';
import { type TestKey, useService } from '../harness.ts';
import { IS_FULL } from '../is-full.ts';
import {
  HOSTILE_DATES,
  HOSTILE_ESCAPES,
  HOSTILE_IDS,
  HOSTILE_JSON,
  HOSTILE_NUMBERS,
  HOSTILE_PATHS,
  HOSTILE_TEXTS,
} from './hostile-values.ts';

const service = useService();
const { person } = createCabinetClient(service);
const { operator } = createAdminClient(service);

/** The part of JSON Schema that the contract uses. */
type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  minLength?: number;
};

/** A request before it is written: path parameters and queries escaped, fields as JSON text. */
type Parts = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  body: string | undefined;
  headers: Record<string, string>;
};

const ESCAPED = [
  ...[...HOSTILE_TEXTS, ...HOSTILE_DATES, ...HOSTILE_NUMBERS, ...HOSTILE_IDS]
    .filter((text) => text.isWellFormed())
    .map((text) => encodeURIComponent(text)),
  ...HOSTILE_ESCAPES,
];

/** Most of them end at the same reader of ids, with 404. */
const IN_PATHS = IS_FULL ? ESCAPED : HOSTILE_PATHS;

/** Values that pass the first checks of their field, so that the others are reached. */
const USUAL: Record<string, string> = {
  phone: '+77019990000',
  email: 'person@example.kz',
  url: 'https://example.kz/a',
  link: 'https://example.kz/a',
  code: '123456',
  channel: 'auto',
  request_token: 'A'.repeat(43),
  name: 'Имя',
  from: '2026-01-01T00:00:00Z',
  to: '2026-02-01T00:00:00Z',
  paid_at: '2026-01-01T00:00:00Z',
  valid_from: '2026-01-01',
  request_id: 'a'.repeat(32),
  token: 'A'.repeat(43),
  password: 'верный конь у юрты 5',
};

function usualValue(name: string, schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return usualValue(name, schema.anyOf[0] as Schema);
  if (schema.type === 'object') return usualObject(schema);
  if (schema.type === 'array') return [usualValue(name, schema.items ?? {})];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return USUAL[name] ?? 'a'.repeat(Math.max(schema.minLength ?? 0, 2));
}

/** Without the optional fields: a filter that matches nothing would hide the others. */
function usualObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => [name, usualValue(name, properties[name] ?? {})]),
  );
}

type Field = { path: (string | number)[]; schema: Schema };

/** Every field of a body, with those inside of objects and lists. */
function fieldsOf(schema: Schema, path: (string | number)[] = []): Field[] {
  const own = path.length === 0 ? [] : [{ path, schema }];
  const [chosen] = schema.anyOf ?? [schema];
  const { type, items = {}, properties = {} } = chosen as Schema;
  if (type === 'array') return [...own, ...fieldsOf(items, [...path, 0])];
  const inner = Object.entries(properties);
  return [...own, ...inner.flatMap(([name, field]) => fieldsOf(field, [...path, name]))];
}

/** How a schema refuses a value; undefined when it accepts it. */
type Refuse = (value: string) => string | undefined;

/** The code and the text of a refusal, which is thrown before any code of the endpoint runs. */
function describeRefusal(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    assert(error instanceof Problem, `no refusal: ${error}`);
    const { errors } = error.facts;
    const texts = Object.values(errors ?? {}).flat();
    if (errors !== undefined) assert(texts.length > 0, 'a refusal of no field');
    for (const text of texts) assert.match(text, /[а-яё]/i);
    return `${error.code} ${texts.join(' ')}`;
  }
}

function bodyRefusals(name: string, schema: Schema): Refuse {
  const object = { type: 'object', properties: { [name]: schema }, required: [] };
  const read = bodyReader(object as unknown as TSchema);
  return (json) =>
    describeRefusal(() => read(parseBody(Buffer.from(`{${JSON.stringify(name)}:${json}}`))));
}

function queryRefusals(name: string, schema: Schema): Refuse {
  const read = queryReader({ type: 'object', properties: { [name]: schema } } as TSchema);
  return (escaped) => describeRefusal(() => read(parseQuery(`${name}=${escaped}`)));
}

const hashed = new Set<string>();

/** Passwords are slow, and all that is done with one is to hash it: once for each schema and value. */
function isHashed(name: string, schema: Schema, value: string): boolean {
  if (!/^(password|current)$/.test(name)) return false;
  const key = `${JSON.stringify(schema)} ${value}`;
  if (hashed.has(key)) return true;
  hashed.add(key);
  return false;
}

/** Together the fields get all values. */
const SHARE = IS_FULL ? 1 : 10;
let fieldsSoFar = 0;

/** The values to send in one field: a share of those that its schema accepts, and one of each refusal. */
function* valuesFor(
  { name, schema, refuse }: { name: string; schema: Schema; refuse: Refuse },
  values: readonly string[],
): Generator<string> {
  const refusals = new Set<string>();
  let accepted = fieldsSoFar++;
  for (const value of values) {
    const refusal = refuse(value);
    if (refusal === undefined && accepted++ % SHARE !== 0) continue;
    if (refusal === undefined ? isHashed(name, schema, value) : refusals.has(refusal)) continue;
    if (refusal !== undefined) refusals.add(refusal);
    yield value;
  }
}

const PLACEHOLDER = '\u0001here\u0001';

/** The JSON text of a body with a hostile text in place of one field. */
function withField(body: object, path: readonly (string | number)[], json: string): string {
  const copy = structuredClone(body) as Record<string | number, unknown>;
  let owner = copy;
  for (const [depth, step] of path.slice(0, -1).entries()) {
    owner[step] ??= typeof path[depth + 1] === 'number' ? [] : {};
    owner = owner[step] as typeof copy;
  }
  owner[path.at(-1) as string] = PLACEHOLDER;
  return JSON.stringify(copy).replace(JSON.stringify(PLACEHOLDER), () => json);
}

/** The request with each hostile value in each of its places, and the name of the place. */
function* hostileRequests(
  usual: Parts,
  { query, body }: { query?: unknown; body?: unknown },
): Generator<{ place: string; parts: Parts }> {
  for (const name of Object.keys(usual.params)) {
    for (const value of IN_PATHS) {
      const params = { ...usual.params, [name]: value };
      yield { place: `:${name}`, parts: { ...usual, params } };
    }
  }
  for (const [name, schema] of Object.entries((query as Schema | undefined)?.properties ?? {})) {
    const field = { name, schema, refuse: queryRefusals(name, schema) };
    for (const value of valuesFor(field, ESCAPED)) {
      yield { place: `?${name}`, parts: { ...usual, query: { ...usual.query, [name]: value } } };
    }
    for (const value of [`a&${name}=b`, `&${name}[]=c`]) {
      yield { place: `?${name}`, parts: { ...usual, query: { ...usual.query, [name]: value } } };
    }
  }
  if (usual.body === undefined || body === undefined) return;
  const fields = JSON.parse(usual.body);
  for (const { path, schema } of fieldsOf(body as Schema)) {
    const name = String(path.at(-1));
    const field = { name, schema, refuse: bodyRefusals(name, schema) };
    for (const json of valuesFor(field, HOSTILE_JSON)) {
      const parts = { ...usual, body: withField(fields, path, json) };
      yield { place: `body ${path.join('.')}`, parts };
    }
  }
}

function urlOf({ path, params, query }: Parts): string {
  const filled = path.replaceAll(/:(\w+)/g, (_all, name) => params[name] ?? '');
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

let addresses = 0;
/** Limits of an address would refuse what should be reached. */
function anotherAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

type Answered = { status: number; code: string | undefined };

/** Sends a request and fails unless its answer is a success or a refusal in the usual form. */
async function send(parts: Parts, label: string): Promise<Answered> {
  const url = urlOf(parts);
  const response = await service.http.inject({
    method: parts.method,
    url,
    remoteAddress: anotherAddress(),
    headers: {
      ...(parts.body !== undefined && { 'content-type': 'application/json' }),
      ...parts.headers,
    },
    ...(parts.body !== undefined && { payload: parts.body }),
    // A stream of events has no end; its head is enough.
    payloadAsStream: true,
  });
  const stream = response.stream();
  const { statusCode: status, headers } = response;
  if (String(headers['content-type']).startsWith('text/event-stream')) {
    stream.destroy();
    return { status, code: undefined };
  }
  let text = '';
  for await (const chunk of stream) text += chunk;
  const what = `${label}: ${parts.method} ${url.slice(0, 300)} ${parts.body?.slice(0, 300) ?? ''}`;
  assert(status < 500, `${status} ${text} for ${what}`);
  if (status < 400 || String(headers['content-type']).startsWith('text/html')) {
    return { status, code: undefined };
  }
  const { success, error_code: code, message } = JSON.parse(text);
  assert.equal(success, false, what);
  assert(code in PROBLEMS, `${code} for ${what}`);
  assert.match(message, /[а-яё]/i, what);
  return { status, code };
}

/** As many as there may be exports at once. */
const AT_ONCE = 4;

/** Sends everything and fails with all wrong answers, not with the first alone. */
async function sendAll(usual: Parts, schemas: { query?: unknown; body?: unknown }): Promise<void> {
  const requests = hostileRequests(usual, schemas);
  const wrong: string[] = [];
  const worker = async () => {
    for (const { place, parts } of requests) {
      await send(parts, place).catch((error: Error) => wrong.push(error.message));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  assert.deepEqual(wrong, []);
}

/** Refusals that come before any parameter is looked at. */
const UNREACHED = [
  'not_signed_in',
  'no_company',
  'no_right',
  'stale_sign_in',
  'second_factor_needed',
  'second_factor_required',
  'unsupported_media_type',
  'foreign_request',
  'missing_api_key',
  'invalid_api_key',
];

/** Where the second factor is asked for, a person has not entered yet. */
const NEED_HALF_A_SESSION = [
  'signInSecond',
  'secondFactors',
  'startPasskeySecondStep',
  'signInSecondByPasskey',
];

function partsOf(
  endpoint: { path: string; query?: unknown; body?: unknown },
  usualIds: Record<string, unknown> = {},
): Pick<Parts, 'params' | 'query' | 'body'> {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  const query = usualObject((endpoint.query ?? {}) as Schema);
  const body = usualObject((endpoint.body ?? {}) as Schema);
  for (const fields of [query, body]) {
    for (const name of Object.keys(fields)) if (name in usualIds) fields[name] = usualIds[name];
  }
  return {
    params: Object.fromEntries(names.map((name) => [name, '1'])),
    query: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, encodeURIComponent(String(value))]),
    ),
    body: endpoint.body === undefined ? undefined : JSON.stringify(body),
  };
}

describe('no value of a parameter makes the cabinet fail', () => {
  let key: TestKey;
  before(async () => {
    key = await service.key({ isTest: true });
  });

  /** Somebody who may do everything and has a second factor. */
  async function ownerAfter(step: 'first step' | 'proof of identity'): Promise<TestPerson> {
    const owner = await person({ role: 'owner', companyId: key.companyId });
    await service.sql(
      `insert into second_factor (person_id, sealed_secret, confirmed_at)
       values ($1, $2, clock_timestamp())`,
      [owner.personId, service.ctx.secrets.seal('00'.repeat(20))],
    );
    if (step === 'proof of identity') {
      await service.sql(
        `update session set second_factor_at = clock_timestamp(), proven_at = clock_timestamp()
         where person_id = $1`,
        [owner.personId],
      );
    }
    return owner;
  }

  for (const [name, endpoint] of Object.entries(CABINET_ENDPOINTS) as [string, CabinetEndpoint][]) {
    test(name, async () => {
      const isHalf = NEED_HALF_A_SESSION.includes(name);
      const { cookie } = await ownerAfter(isHalf ? 'first step' : 'proof of identity');
      const isFile = endpoint.fileBytesMax !== undefined;
      const usual: Parts = {
        method: endpoint.method,
        path: `/cabinet${endpoint.path}`,
        headers: {
          'x-zhiber-cabinet': '1',
          cookie,
          ...(isFile && { 'content-type': 'application/octet-stream' }),
        },
        ...partsOf(endpoint, { key_id: key.keyId }),
        ...(isFile && { body: 'Имя;Телефон' }),
      };
      await sendAll(usual, endpoint);
      const { code } = await send(usual, 'the usual request');
      if (code === undefined) return;
      assert(!UNREACHED.includes(code), `${name} is refused: ${code}`);
    });
  }
});

describe("no value of a parameter makes the operator's desk fail", () => {
  let personId: PersonId;
  before(async () => {
    ({ personId } = await operator());
  });

  /** A session just after the second factor, or before it. */
  async function sessionAfter(step: 'first step' | 'second factor'): Promise<string> {
    const { token, hash: tokenHash } = newToken();
    const id = newId(Date.now());
    const isProven = step === 'second factor';
    const from = { address: '127.0.0.1', device: 'Test/1.0' };
    await insertOperatorSession(service.ctx.db, { id, tokenHash, personId, ...from, isProven });
    return `zhiber-admin=${token}`;
  }

  for (const [name, endpoint] of Object.entries(ADMIN_ENDPOINTS) as [string, AdminEndpoint][]) {
    test(name, async () => {
      const isHalf = NEED_HALF_A_SESSION.includes(name);
      const cookie = await sessionAfter(isHalf ? 'first step' : 'second factor');
      const isFile = endpoint.fileBytesMax !== undefined;
      const usual: Parts = {
        method: endpoint.method,
        path: `/admin/api${endpoint.path}`,
        headers: {
          'x-zhiber-admin': '1',
          cookie,
          ...(isFile && { 'content-type': 'application/octet-stream' }),
        },
        ...partsOf(endpoint),
        ...(isFile && { body: 'Дата;Сумма;Назначение' }),
      };
      await sendAll(usual, endpoint);
      const { code } = await send(usual, 'the usual request');
      assert(code === undefined || !UNREACHED.includes(code), `${name} is refused: ${code}`);
    });
  }
});

describe('what the database cannot hold is refused in the usual form', () => {
  const refusals = {
    'NUL in a path': { url: '/links/a%00b', code: 'not_found' },
    'NUL in a query': { url: '/links?search=a%00b', code: 'validation_error' },
    'the year 0': { url: '/audit?from=0000-01-01T00:00:00Z', code: 'validation_error' },
    'the year 10000': { url: '/audit?to=9999-12-31T23:59:59-23:59', code: 'validation_error' },
    'an id above all numbers': {
      url: '/messages?key_id=9223372036854775808',
      code: 'validation_error',
    },
  };
  for (const [what, { url, code }] of Object.entries(refusals)) {
    test(what, async () => {
      const { cookie } = await person({ role: 'owner' });
      const answer = await service.http.inject({ url: `/cabinet${url}`, headers: { cookie } });
      assert.equal(answer.json().error_code, code);
      assert.equal(answer.statusCode, code === 'not_found' ? 404 : 422);
      const [field] = url.split('?')[1]?.split('=') ?? [];
      if (field !== undefined) assert.match(answer.json().errors[field][0], /[а-я]/);
    });
  }
});

describe('no value of a parameter makes the API fail', () => {
  for (const [name, endpoint] of Object.entries(ENDPOINTS) as [string, Endpoint][]) {
    test(name, async () => {
      const key = await service.key({ isTest: true });
      const usual: Parts = {
        method: endpoint.methods.includes('POST') ? 'POST' : 'GET',
        path: `/api${endpoint.path}`,
        headers: { authorization: `Bearer ${key.key}` },
        ...partsOf(endpoint),
      };
      await sendAll(usual, endpoint);
      const { code } = await send(usual, 'the usual request');
      assert(code === undefined || !UNREACHED.includes(code), `${name} is refused: ${code}`);
    });
  }

  test('an idempotency key', async () => {
    const key = await service.key({ isTest: true });
    for (const value of [...HOSTILE_NUMBERS, ...HOSTILE_IDS, ' ', 'x'.repeat(5_000)]) {
      const headers = { authorization: `Bearer ${key.key}`, 'idempotency-key': value };
      const body = JSON.stringify({ url: 'https://example.kz' });
      const parts = { method: 'POST', path: '/api/links/shorten', params: {}, query: {} } as const;
      if (/^[\x20-\x7e]*$/.test(value)) await send({ ...parts, headers, body }, 'header');
    }
  });
});

describe('no value of a parameter makes a page fail', () => {
  const text = { type: 'string' };
  const routes: { path: string; query?: Schema }[] = [
    { path: '/s/:slug' },
    { path: '/docs/errors/:code', query: { properties: { lang: text } } },
    { path: '/assets/:name' },
    { path: '/app/:page' },
    { path: '/:page' },
    { path: '/try/messages/:id' },
    {
      path: '/sandbox/messages',
      query: { type: 'object', properties: { phone: text, since: text } },
    },
  ];
  for (const route of routes) {
    test(route.path, async () => {
      const key = await service.key({ isTest: true });
      const headers = { authorization: `Bearer ${key.key}` };
      await sendAll({ method: 'GET', path: route.path, headers, ...partsOf(route) }, route);
    });
  }
});
