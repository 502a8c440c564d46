import assert from 'node:assert/strict';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { describeApi } from '../src/http/api/openapi.ts';
import { PROBLEMS } from '../src/problem.ts';

type Description = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
};
type Response = {
  headers: Record<string, Header>;
  'x-error-codes'?: ErrorCode[];
  content?: { 'application/json': { schema: object } };
};

type Header = { required?: boolean; schema: { const?: string } };

const described = describeApi('http://localhost:3000');
const description = inlineRefs(described, described) as Description;
/** Every header that the description knows: an answer has it exactly where it is described. */
const HEADERS = Object.keys(described.components.headers);
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
  for (const name of HEADERS) {
    const header: Header | undefined = response.headers[name];
    const value = headers[name.toLowerCase()];
    if (header?.required) assert(value !== undefined, `${label}: ${name} is missing`);
    if (value === undefined) continue;
    assert(header, `${label}: ${name} is not described`);
    if (header.schema.const !== undefined) assert.equal(value, header.schema.const, label);
  }
  // The schema takes any code, so that clients accept new ones; the list says which may come.
  const codes = response['x-error-codes'];
  if (status !== 200 && body.error_code !== undefined) {
    assert(codes?.includes(body.error_code), `${label}: ${body.error_code} is not described`);
  }
  const schema = response.content?.['application/json'].schema;
  if (schema === undefined) return;
  let check = checks.get(schema);
  if (check === undefined) {
    check = Compile(schema as TSchema);
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

/** A part of a description with everything that `$ref` points to in its place. */
export function inlineRefs(part: unknown, whole: object): unknown {
  if (Array.isArray(part)) return part.map((item) => inlineRefs(item, whole));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...rest } = part as { $ref?: string };
  if ($ref !== undefined) {
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((from, name) => (from as Record<string, unknown>)[name], whole);
    assert(found !== undefined, `${$ref} points to nothing`);
    return { ...(inlineRefs(found, whole) as object), ...rest };
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, inlineRefs(value, whole)]),
  );
}
