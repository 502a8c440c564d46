import assert from 'node:assert/strict';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { describeApi } from '../src/http/api/openapi.ts';
import { PROBLEMS } from '../src/problem.ts';

type Description = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: Record<string, object> };
};
type Response = {
  headers?: Record<string, { required?: boolean }>;
  content?: { 'application/json': { schema: object } };
};

const description = describeApi('http://localhost:3000') as unknown as Description;
const checks = new Map<object, ReturnType<typeof Compile>>();

/**
 * Fails unless the OpenAPI description lists this status for this path, and the answer fits its
 * schema and headers.
 */
export function checkAnswer(answer: {
  path: string;
  method: string;
  status: number;
  body: Record<string, unknown> & { error_code?: ErrorCode };
  headers: Record<string, unknown>;
}): void {
  const { path, status, body, headers } = answer;
  const label = `${answer.method} ${path} ${status}`;
  assert.match(String(headers['x-request-id']), /^[A-Za-z0-9._-]{1,64}$/, label);
  if (status !== 200) checkErrorForm(label, answer);

  const operation = description.paths[path.split('?')[0] ?? '']?.[answer.method.toLowerCase()];
  // Undescribed paths and methods may only be refused.
  if (operation === undefined) {
    assert([404, 405].includes(status), `${label} is not described`);
    return;
  }
  const response = operation.responses[status];
  assert(response, `${label} is not described: ${JSON.stringify(body)}`);
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    if (header.required) assert(headers[name.toLowerCase()] !== undefined, `${label}: ${name}`);
  }
  const schema = response.content?.['application/json'].schema;
  if (schema === undefined) return;
  let check = checks.get(schema);
  if (check === undefined) {
    check = Compile(inlineRefs(schema, description.components.schemas) as TSchema);
    checks.set(schema, check);
  }
  assert(
    check.Check(body),
    `${label}: ${JSON.stringify(check.Errors(body))} in ${JSON.stringify(body)}`,
  );
}

type Answer = Parameters<typeof checkAnswer>[0];

/** Fails unless an error answer has the form of the error catalogue. */
export function checkErrorForm(
  label: string,
  { status, body, headers }: Pick<Answer, 'status' | 'body' | 'headers'>,
): void {
  if (Object.keys(body).length === 0) return; // HEAD has no body.
  assert.equal(body.success, false, label);
  assert(body.error_code !== undefined && body.error_code in PROBLEMS, label);
  assert.equal(PROBLEMS[body.error_code].status, status, label);
  assert.equal(body.message, PROBLEMS[body.error_code].message, label);
  assert.equal(body.request_id, headers['x-request-id'], label);
  if (status === 429 || status === 503) {
    assert.equal(String(body.retry_after), headers['retry-after'], label);
  }
}

/** Inlines the shared schemas that `$ref` points to. */
export function inlineRefs(schema: unknown, schemas: Record<string, object>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inlineRefs(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined) return inlineRefs(schemas[$ref.split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, inlineRefs(value, schemas)]),
  );
}
