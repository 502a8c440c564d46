import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS, type Endpoint, errorsOf } from '@zhiber/contract/api/endpoints.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import { EVENT_TYPES } from '@zhiber/contract/api/events.ts';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { inlineRefs } from '../check-answer.ts';
import { useService } from '../harness.ts';

const service = useService();

type Content = {
  'application/json': { schema: object; examples: Record<string, { value: unknown }> };
};
type Response = {
  description: string;
  headers: Record<string, unknown>;
  'x-error-codes'?: ErrorCode[];
  content?: Content;
};
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, unknown[]>[];
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
};
type Description = {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { securitySchemes: Record<string, object> };
};

/** The description, with every reference in it resolved. */
async function readDescription(): Promise<Description> {
  const response = await service.http.inject('/api/openapi.json');
  assert.equal(response.statusCode, 200);
  assert.match(String(response.headers['content-type']), /^application\/json/);
  return inlineRefs(response.json(), response.json()) as Description;
}

/** The operations of all paths. A path outside `/api` also names its server. */
function operationsOf({ paths }: Description) {
  return Object.entries(paths).flatMap(([path, { servers: _servers, ...item }]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

function assertFits(schema: object, value: unknown, label: string): void {
  const check = Compile(schema as TSchema);
  assert(check.Check(value), `${label}: ${JSON.stringify(check.Errors(value))}`);
}

const endpoints: Endpoint[] = Object.values(ENDPOINTS);

test('the description is OpenAPI 3.1 and names this server', async () => {
  const description = await readDescription();
  assert.match(description.openapi, /^3\.1\.\d+$/);
  assert.equal(description.info.title, 'Zhiber API');
  assert.match(description.info.version, /^\d+\.\d+\.\d+/);
  assert.equal(description.servers[0]?.url, 'http://localhost:3000/api');
  const { apiKey } = description.components.securitySchemes;
  assert.partialDeepStrictEqual(apiKey, { type: 'http', scheme: 'bearer' });
});

test('the description comes as YAML too, and in the language that the reader asks for', async () => {
  const yaml = await service.http.inject('/api/openapi.yaml');
  assert.equal(yaml.statusCode, 200);
  assert.match(String(yaml.headers['content-type']), /^application\/yaml/);
  assert.match(yaml.payload, /^openapi: "3\.1\.0"\ninfo:\n {2}title: "Zhiber API"\n/);
  for (const [query, summary] of [
    ['', 'Проверить код'],
    ['?lang=kk', 'Кодты тексеру'],
    ['?lang=en', 'Verify a code'],
    ['?lang=xx', 'Проверить код'],
  ]) {
    const { paths } = (await service.http.inject(`/api/openapi.json${query}`)).json();
    assert.equal(paths['/otp/verify'].post.summary, summary, query);
  }
});

test('a page of another site may read the description, and no other answer of the API', async () => {
  const headers = { origin: 'https://editor.example' };
  const readCors = async (url: string, method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS' = 'GET') => {
    const answer = await service.http.inject({ url, method, headers });
    return Object.entries(answer.headers).filter(([name]) => name.startsWith('access-control-'));
  };
  for (const url of ['/api/openapi.json', '/api/openapi.yaml?lang=en']) {
    assert.deepEqual(await readCors(url), [['access-control-allow-origin', '*']], url);
  }
  for (const endpoint of endpoints) {
    assert.deepEqual(await readCors(`/api${endpoint.path}`, 'OPTIONS'), []);
    for (const method of endpoint.methods) {
      if (method === 'HEAD') continue;
      assert.deepEqual(await readCors(`/api${endpoint.path}`, method), [], endpoint.path);
    }
  }
  assert.deepEqual(await readCors('/api/openapi.json', 'POST'), []);
  assert.deepEqual(await readCors('/api/unknown'), []);
  assert.deepEqual(await readCors('/sandbox/messages'), []);
  assert.deepEqual(await readCors('/sandbox/messages', 'DELETE'), []);
});

test('the description needs no key and allows only GET', async () => {
  await readDescription();
  const refused = await service.call('/openapi.json', {}, { method: 'POST' });
  assert.equal(refused.status, 405);
});

test('the description lists exactly the operations, by names that clients can keep', async () => {
  const listed = operationsOf(await readDescription()).map(
    ({ method, path, operation }) => `${operation.operationId}: ${method} ${path}`,
  );
  assert.deepEqual(listed, [
    'sendCode: post /otp/send',
    'verifyCode: post /otp/verify',
    'shortenLink: post /links/shorten',
    'sendLink: post /links/send',
    'sendToGroup: post /group/send',
    'checkHealth: get /health',
    'checkHealthByHead: head /health',
    'checkHealthByPost: post /health',
    'listSandboxMessages: get /sandbox/messages',
    'clearSandboxMessages: delete /sandbox/messages',
  ]);
});

test('the inbox of the sandbox has a server of its own, outside the API', async () => {
  const { paths } = await readDescription();
  const { servers } = paths['/sandbox/messages'] as unknown as Pick<Description, 'servers'>;
  assert.deepEqual(
    servers.map(({ url }) => url),
    ['http://localhost:3000'],
  );
});

test('every operation has a tag that is explained, and its security scheme', async () => {
  const description = await readDescription();
  const tags = description.tags.map(({ name }) => name);
  for (const { path, operation } of operationsOf(description)) {
    assert.equal(operation.tags.length, 1);
    assert(tags.includes(String(operation.tags[0])), path);
    const security = path === '/health' ? [] : [{ apiKey: [] }];
    assert.deepEqual(operation.security, security, path);
  }
});

test('every type of event is a webhook whose example fits its schema', async () => {
  const { webhooks } = await readDescription();
  assert.deepEqual(Object.keys(webhooks), [...EVENT_TYPES]);
  for (const [type, { post }] of Object.entries(webhooks)) {
    assert(post.requestBody, type);
    const { schema, example } = post.requestBody.content['application/json'] as unknown as {
      schema: object;
      example: { type: string };
    };
    assert.equal(example.type, type);
    assertFits(schema, example, type);
    const names = post.parameters.map(({ name }) => name);
    assert.deepEqual(names, ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  }
});

for (const endpoint of endpoints) {
  describe(endpoint.path, () => {
    const readOperations = async () => {
      const { paths } = await readDescription();
      return { operations: Object.entries(paths[endpoint.path] ?? {}) };
    };

    test('has example bodies that fit their schema and are accepted', async () => {
      const { operations } = await readOperations();
      for (const [method, { requestBody }] of operations) {
        assert.equal(requestBody !== undefined, endpoint.needsKey, method);
        if (requestBody === undefined) continue;
        const { schema, examples } = requestBody.content['application/json'];
        assert(Object.keys(examples).length > 0);
        for (const [name, { value }] of Object.entries(examples)) {
          assertFits(schema, value, name);
          const answer = await service.call(endpoint.path, value, await service.key());
          assert.notEqual(answer.body.error_code, 'validation_error', name);
        }
      }
    });

    test('has example successes that fit their schema', async () => {
      const { operations } = await readOperations();
      for (const [method, { responses }] of operations) {
        const success = responses[200];
        assert(success, method);
        if (method === 'head') continue;
        const { schema, examples } = (success.content as Content)['application/json'];
        const values = Object.values(examples);
        assert(values.length > 0);
        for (const { value } of values) {
          assertFits(schema, value, method);
          assert.equal((value as { success: unknown }).success, true);
        }
      }
    });

    test('lists every possible status and error code, each with an example', async () => {
      const { operations } = await readOperations();
      for (const [method, { responses }] of operations) {
        const codes = errorsOf(endpoint);
        const statuses = new Set(codes.map((code) => String(ERRORS[code].status)));
        assert.deepEqual(Object.keys(responses).sort(), ['200', ...statuses].sort());
        if (method === 'head') continue;
        for (const code of codes) assertError(responses, code);
      }
    });

    test('describes the headers a client needs', async () => {
      const { operations } = await readOperations();
      for (const [, { responses, parameters }] of operations) {
        for (const [status, { headers }] of Object.entries(responses)) {
          assert.deepEqual(Object.keys(headers), expectedHeaders(endpoint, status), status);
        }
        const names = parameters.map((parameter) => parameter.name);
        assert.equal(names.includes('Idempotency-Key'), endpoint.needsKey);
      }
    });
  });
}

/** Written down by hand from the order in which a request is checked. */
function expectedHeaders({ path, needsKey }: Endpoint, status: string): string[] {
  const ofKey = ['200', '402', '409', '413', '415', '422', '429', '500', '502', '503', '504'];
  const isSend = path.endsWith('/send');
  const kept = isSend ? ['200', '502', '504'] : path === '/otp/verify' ? ['200', '422'] : ['200'];
  // Of the refusals with 403, the fraud guard alone comes after the rate.
  const isLimited =
    ofKey.includes(status) || (status === '403' && isSend && path !== '/group/send');
  return [
    'X-Request-Id',
    ...(needsKey && [...ofKey, '403'].includes(status) ? ['X-Test-Mode'] : []),
    ...(needsKey && kept.includes(status) ? ['Idempotent-Replayed'] : []),
    ...(['409', '429', '503'].includes(status) ? ['Retry-After'] : []),
    ...(needsKey && isLimited ? ['RateLimit-Policy', 'RateLimit'] : []),
    ...(status === '405' ? ['Allow'] : []),
    ...(status === '401' ? ['WWW-Authenticate'] : []),
  ];
}

/** The facts that an example has to show beside its code. */
const FACTS: Partial<Record<ErrorCode, string[]>> = {
  insufficient_tokens: ['required', 'balance'],
  validation_error: ['errors'],
  invalid_phone: ['errors'],
  alias_taken: ['errors'],
  invalid_code: ['attempts_left'],
  delivery_failed: ['message_id'],
  delivery_unconfirmed: ['message_id'],
};

function assertError(responses: Record<string, Response>, code: ErrorCode): void {
  const { status } = ERRORS[code];
  const response = responses[status];
  assert(response?.content, code);
  const { schema, examples } = response.content['application/json'];
  const value = examples[code]?.value as Record<string, unknown> | undefined;
  assert(value, `${code} has no example`);
  assertFits(schema, value, code);
  assert.equal(value.success, false);
  assert.equal(value.error_code, code);
  assert.equal(value.message, ERRORS[code].message);
  const facts = [409, 429, 503].includes(status) ? ['retry_after'] : (FACTS[code] ?? []);
  for (const fact of facts) assert(fact in value, `${code} without ${fact}`);
  assert(response.description.includes(code));
  assert(response['x-error-codes']?.includes(code), code);
  // A client that was generated today has to accept the codes of tomorrow.
  assertFits(schema, { ...value, error_code: 'something_new' }, code);
}
