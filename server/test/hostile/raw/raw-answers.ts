import assert from 'node:assert/strict';
import { ErrorAnswer } from '@zhiber/contract/api/error-answer.ts';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import { checkErrorForm } from '../../check-answer.ts';

/** An answer as it came over the wire. */
export type RawAnswer = { status: number; headers: Record<string, string>; body: Buffer };

const HEAD_END = '\r\n\r\n';
const KNOWN_FIELDS = new Set(Object.keys(ErrorAnswer.properties));

/**
 * Parses the first answer and returns the remaining bytes; undefined while it is incomplete. An
 * answer to HEAD has no body, despite its Content-Length.
 */
export function takeAnswer(
  bytes: Buffer,
  isHead = false,
): { answer: RawAnswer; rest: Buffer } | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  assert(status >= 100, `not an HTTP answer: ${first}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const start = end + HEAD_END.length;
  const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
  const length = hasBody ? Number(headers['content-length'] ?? 0) : 0;
  if (bytes.length < start + length) return undefined;
  const body = bytes.subarray(start, start + length);
  return { answer: { status, headers, body }, rest: bytes.subarray(start + length) };
}

/** Parses all answers; fails on any bytes between or after them. */
export function takeAnswers(bytes: Buffer, isHead = false): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let left = bytes; left.length > 0; ) {
    const taken = takeAnswer(left, isHead);
    assert(taken, `incomplete answer: ${left.toString('latin1').slice(0, 300)}`);
    answers.push(taken.answer);
    left = taken.rest;
  }
  return answers;
}

export type JsonBody = Record<string, unknown> & { error_code?: ErrorCode };

/**
 * Parses an answer that must be JSON. An error must be in Russian, with a documented code and the
 * request id, and without unknown fields, so it cannot contain a stack trace or SQL.
 */
export function readJsonAnswer(label: string, answer: RawAnswer): JsonBody {
  const { status, headers } = answer;
  assert.match(headers['content-type'] ?? '', /^application\/json; charset=utf-8$/, label);
  assert.match(headers['x-request-id'] ?? '', /^[A-Za-z0-9._-]{1,64}$/, label);
  const body = JSON.parse(answer.body.toString('utf8')) as JsonBody;
  if (status >= 200 && status < 300) return body;
  checkErrorForm(label, { status, body, headers });
  const unknown = Object.keys(body).filter((name) => !KNOWN_FIELDS.has(name));
  assert.deepEqual(unknown, [], label);
  assert.match(String(body.message), /[а-яё]/i, label);
  for (const text of Object.values((body.errors ?? {}) as Record<string, string[]>).flat()) {
    assert.match(text, /[а-яё]/i, `${label}: ${text}`);
  }
  if (status === 401) assert.equal(headers['www-authenticate'], 'Bearer', label);
  if (status === 405) assert(headers.allow, label);
  return body;
}
