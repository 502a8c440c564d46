import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS, type Endpoint, errorsOf } from '@zhiber/contract/api/endpoints.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { inlineRefs } from '../check-answer.ts';
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

async function readDescription(): Promise<Description> {
  const response = await service.http.inject('/api/openapi.json');
  assert.equal(response.statusCode, 200);
  assert.match(String(response.headers['content-type']), /^application\/json/);
  return response.json();
}

/** Collects all references in a part of the description. */
function collectRefs(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = '$ref' in part ? [String(part.$ref)] : [];
  return [...own, ...Object.values(part).flatMap(collectRefs)];
}

function assertFits(description: Description, schema: object, value: unknown, label: string): void {
  const check = Compile(inlineRefs(schema, description.components.schemas) as TSchema);
  assert(check.Check(value), `${label}: ${JSON.stringify(check.Errors(value))}`);
}

const endpoints: Endpoint[] = Object.values(ENDPOINTS);

test('the description is OpenAPI 3.1 and names this server', async () => {
  const description = await readDescription();
  assert.match(description.openapi, /^3\.1\.\d+$/);
  assert.equal(description.info.title, 'Zhiber API');
  assert.match(description.info.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(description.servers, [{ url: 'http://localhost:3000/api' }]);
  assert.deepEqual(description.components.securitySchemes, {
    apiKey: { type: 'http', scheme: 'bearer' },
  });
});

test('the description needs no key and allows only GET', async () => {
  await readDescription();
  const refused = await service.call('/openapi.json', {}, { method: 'POST' });
  assert.equal(refused.status, 405);
});

test('the description lists exactly the endpoints and their methods', async () => {
  const { paths } = await readDescription();
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

test('every operation has a unique id, a summary and its security scheme', async () => {
  const { paths } = await readDescription();
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

test('every reference resolves', async () => {
  const description = await readDescription();
  const refs = collectRefs(description);
  assert(refs.length > 0);
  for (const ref of refs) {
    const name = ref.slice('#/components/schemas/'.length);
    assert.equal(ref, `#/components/schemas/${name}`);
    assert(name in description.components.schemas, ref);
  }
});

for (const endpoint of endpoints) {
  describe(endpoint.path, () => {
    const readOperations = async () => {
      const description = await readDescription();
      const item = description.paths[endpoint.path] as Record<string, Operation>;
      return { description, operations: Object.entries(item) };
    };

    test('has example bodies that fit their schema and are accepted', async () => {
      const { description, operations } = await readOperations();
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

    test('has example successes that fit their schema', async () => {
      const { description, operations } = await readOperations();
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

    test('lists every possible status and error code, each with an example', async () => {
      const { description, operations } = await readOperations();
      for (const [method, { responses }] of operations) {
        const codes = errorsOf(endpoint);
        const statuses = new Set(codes.map((code) => String(ERRORS[code].status)));
        assert.deepEqual(Object.keys(responses).sort(), ['200', ...statuses].sort());
        if (method === 'head') continue;
        for (const code of codes) assertError(description, responses, code);
      }
    });

    test('describes the headers a client needs', async () => {
      const { operations } = await readOperations();
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
  // The schema is strict: the code of another status does not fit.
  const foreign = { ...value, error_code: code === 'not_found' ? 'internal_error' : 'not_found' };
  const check = Compile(inlineRefs(schema, description.components.schemas) as TSchema);
  assert.equal(check.Check(foreign), false, `${code}: the schema accepts any code`);
}
