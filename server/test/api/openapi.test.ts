import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS, type Endpoint, errorsOf } from '@zhiber/contract/api/endpoints.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { useService } from '../harness.ts';

const service = useService();

type Content = {
  'application/json': { schema: object; examples: Record<string, { value: unknown }> };
};
type Response = { description: string; headers: Record<string, unknown>; content?: Content };
type Operation = {
  operationId: string;
  summary: string;
  security?: Record<string, unknown[]>[];
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
};
type Description = {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, object> };
};

async function read(): Promise<Description> {
  const response = await service.http.inject('/api/openapi.json');
  assert.equal(response.statusCode, 200);
  assert.match(String(response.headers['content-type']), /^application\/json/);
  return response.json();
}

/** Every reference in a part of the description. */
function refsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = '$ref' in part ? [String(part.$ref)] : [];
  return [...own, ...Object.values(part).flatMap(refsIn)];
}

function resolve(description: Description, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => resolve(description, item));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) {
    const name = String(schema.$ref).slice('#/components/schemas/'.length);
    return resolve(description, description.components.schemas[name]);
  }
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, resolve(description, value)]),
  );
}

function assertFits(description: Description, schema: object, value: unknown, label: string): void {
  const check = Compile(resolve(description, schema) as TSchema);
  assert(check.Check(value), `${label}: ${JSON.stringify(check.Errors(value))}`);
}

const endpoints: Endpoint[] = Object.values(ENDPOINTS);

test('it is an OpenAPI 3.1 description of this server', async () => {
  const description = await read();
  assert.match(description.openapi, /^3\.1\.\d+$/);
  assert.equal(description.info.title, 'Zhiber API');
  assert.match(description.info.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(description.servers, [{ url: 'http://localhost:3000/api' }]);
  assert.deepEqual(description.components.securitySchemes, {
    apiKey: { type: 'http', scheme: 'bearer' },
  });
});

test('it is open: no key is needed, and only GET is there', async () => {
  await read();
  const refused = await service.call('/openapi.json', {}, { method: 'POST' });
  assert.equal(refused.status, 405);
});

test('it lists every endpoint with its methods, and nothing else', async () => {
  const { paths } = await read();
  const listed = Object.entries(paths).map(([path, item]) => [path, Object.keys(item).sort()]);
  const expected = [
    ['/otp/send', ['post']],
    ['/otp/verify', ['post']],
    ['/links/shorten', ['post']],
    ['/links/send', ['post']],
    ['/group/send', ['post']],
    ['/health', ['get', 'head', 'post']],
  ];
  assert.deepEqual(listed.sort(), expected.sort());
});

test('every operation has an id of its own, a summary and the security it needs', async () => {
  const { paths } = await read();
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { path, operation } of operations) {
    assert.match(operation.operationId, /^[a-z_]+$/);
    assert.match(operation.summary, /[а-яё]/i);
    const security = path === '/health' ? undefined : [{ apiKey: [] }];
    assert.deepEqual(operation.security, security, path);
  }
});

test('every reference leads somewhere', async () => {
  const description = await read();
  const refs = refsIn(description);
  assert(refs.length > 0);
  for (const ref of refs) {
    const name = ref.slice('#/components/schemas/'.length);
    assert.equal(ref, `#/components/schemas/${name}`);
    assert(name in description.components.schemas, ref);
  }
});

for (const endpoint of endpoints) {
  describe(endpoint.path, () => {
    const operationsOf = async () => {
      const description = await read();
      const item = description.paths[endpoint.path] as Record<string, Operation>;
      return { description, operations: Object.entries(item) };
    };

    test('shows a body that fits its own schema, and takes it', async () => {
      const { description, operations } = await operationsOf();
      for (const [method, { requestBody }] of operations) {
        assert.equal(requestBody !== undefined, endpoint.needsKey, method);
        if (requestBody === undefined) continue;
        const { schema, examples } = requestBody.content['application/json'];
        assert(Object.keys(examples).length > 0);
        for (const [name, { value }] of Object.entries(examples)) {
          assertFits(description, schema, value, name);
          const answer = await service.call(endpoint.path, value, await service.key());
          assert.notEqual(answer.body.error_code, 'validation_error', name);
        }
      }
    });

    test('shows a success that fits its own schema', async () => {
      const { description, operations } = await operationsOf();
      for (const [method, { responses }] of operations) {
        const success = responses[200];
        assert(success, method);
        if (method === 'head') continue;
        const { schema, examples } = (success.content as Content)['application/json'];
        const values = Object.values(examples);
        assert(values.length > 0);
        for (const { value } of values) {
          assertFits(description, schema, value, method);
          assert.equal((value as { success: unknown }).success, true);
        }
      }
    });

    test('lists every status and code it can answer with, each with an example', async () => {
      const { description, operations } = await operationsOf();
      for (const [method, { responses }] of operations) {
        const codes = errorsOf(endpoint);
        const statuses = new Set(codes.map((code) => String(ERRORS[code].status)));
        assert.deepEqual(Object.keys(responses).sort(), ['200', ...statuses].sort());
        if (method === 'head') continue;
        for (const code of codes) assertError(description, responses, code);
      }
    });

    test('describes the headers a client needs', async () => {
      const { operations } = await operationsOf();
      for (const [, { responses, parameters }] of operations) {
        for (const [status, { headers }] of Object.entries(responses)) {
          assert('X-Request-Id' in headers, status);
          assert.equal('Retry-After' in headers, ['429', '503'].includes(status), status);
        }
        const names = parameters.map((parameter) => parameter.name);
        assert.equal(names.includes('Idempotency-Key'), endpoint.needsKey);
      }
    });
  });
}

function assertError(
  description: Description,
  responses: Record<string, Response>,
  code: ErrorCode,
): void {
  const response = responses[ERRORS[code].status];
  assert(response?.content, code);
  const { schema, examples } = response.content['application/json'];
  const value = examples[code]?.value as Record<string, unknown> | undefined;
  assert(value, `${code} has no example`);
  assertFits(description, schema, value, code);
  assert.equal(value.success, false);
  assert.equal(value.error_code, code);
  assert.equal(value.message, ERRORS[code].message);
  assert(response.description.includes(code));
  // The schema is narrow: a code of another status does not fit it.
  const foreign = { ...value, error_code: code === 'not_found' ? 'internal_error' : 'not_found' };
  const check = Compile(resolve(description, schema) as TSchema);
  assert.equal(check.Check(foreign), false, `${code}: any code fits`);
}
