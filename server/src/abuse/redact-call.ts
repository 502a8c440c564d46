/**
 * What the request log keeps of the bodies of a call. It fails closed: only fields that the contract
 * names keep their values, a code never does, and of text that is no JSON only the shape is left.
 */
import { CODE_VERIFIED } from '@zhiber/contract/api/answer-texts.ts';
import { ENDPOINTS, type Endpoint } from '@zhiber/contract/api/endpoints.ts';
import { ErrorAnswer } from '@zhiber/contract/api/error-answer.ts';
import { CUT, REDACTED } from '@zhiber/contract/cabinet/request-words.ts';
import type { TSchema } from 'typebox';
import { type Phone, parsePhone } from '../phone.ts';

/** Of the JSON that is stored for a request or an answer. */
export const LOGGED_BODY_BYTES_MAX = 2_048;
/** Tried in turn until a body fits: the longest value that is kept whole. */
const VALUE_LENGTHS_MAX = [1_000, 300, 100, 20] as const;
/** Fields that no endpoint has; of these the name is kept alone. */
const UNKNOWN_FIELDS_MAX = 10;
/** Of a body that is no JSON: the beginning is where its mistake shows. */
const BROKEN_LENGTH_MAX = 400;

/** No phone that can be sent to has fewer digits, and no code has as many. */
export const PHONE_DIGITS_MIN = 10;

const VERIFY_PATH = `/api${ENDPOINTS.otpVerify.path}`;

type Fields = { request: ReadonlySet<string>; answer: ReadonlySet<string> };

const FIELDS: ReadonlyMap<string, Fields> = new Map(
  Object.values<Endpoint>(ENDPOINTS).map(({ path, body, answer }) => [
    `/api${path}`,
    { request: namesOf(body), answer: namesOf(answer) },
  ]),
);
const ERROR_FIELDS = namesOf(ErrorAnswer);
/** Stored in columns of their own, or the same for every call with that error code. */
const DERIVED_FIELDS = new Set(['success', 'error_code', 'request_id', 'docs_url']);

const KNOWN_WORDS = new Set([
  ...[...FIELDS.values()].flatMap(({ request }) => [...request]),
  ...['true', 'false', 'null'],
]);

function namesOf(schema: TSchema | undefined): ReadonlySet<string> {
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  return new Set(Object.keys(properties));
}

/**
 * The body of a request as JSON, in the order of the caller. `phone` is what its phone was
 * understood as, for a caller that has parsed it already: to parse it is the dearest part.
 */
export function redactRequest(path: string, body: Record<string, unknown>, phone?: Phone): string {
  const known = FIELDS.get(path)?.request ?? new Set<string>();
  const isVerify = path === VERIFY_PATH;
  return fitting((lengthMax) => {
    const kept: Record<string, unknown> = {};
    let unknown = 0;
    for (const [name, value] of Object.entries(body)) {
      if (known.has(name)) kept[name] = redactField(name, value, { isVerify, lengthMax, phone });
      else if (unknown++ < UNKNOWN_FIELDS_MAX) kept[redactName(name)] = REDACTED;
    }
    return kept;
  });
}

/** What an answer says beyond the path, the status and the error code; null when nothing. */
export function redactAnswer(path: string, answer: Record<string, unknown>): string | null {
  const isSuccess = answer.success === true;
  const known = isSuccess ? FIELDS.get(path)?.answer : ERROR_FIELDS;
  const isDerived = (name: string, value: unknown) =>
    DERIVED_FIELDS.has(name) || (name === 'message' && (!isSuccess || value === CODE_VERIFIED));
  const entries = Object.entries(answer).filter(
    ([name, value]) => known?.has(name) && !isDerived(name, value),
  );
  if (entries.length === 0) return null;
  return fitting((lengthMax) =>
    Object.fromEntries(
      entries.map(([name, value]) => [
        name,
        typeof value === 'string' ? cut(withoutSecrets(value), lengthMax) : value,
      ]),
    ),
  );
}

/**
 * The shape of a body that could not be parsed: its punctuation and the names of fields. Everything
 * else is hidden, because nothing says which part of it is a code.
 */
export function redactBroken(bytes: Buffer): string {
  const text = bytes.subarray(0, BROKEN_LENGTH_MAX * 2).toString('utf8');
  const shape = text.replaceAll(/[^\s{}[\]:,"']+/gu, (word) =>
    KNOWN_WORDS.has(word) ? word : REDACTED,
  );
  return cut(shape, BROKEN_LENGTH_MAX);
}

function fitting(build: (lengthMax: number) => object): string {
  let json = '{}';
  for (const lengthMax of VALUE_LENGTHS_MAX) {
    json = JSON.stringify(build(lengthMax));
    if (Buffer.byteLength(json) <= LOGGED_BODY_BYTES_MAX) return json;
  }
  // A body of known fields fits in the end; what does not is no body of this API.
  return '{}';
}

function redactField(
  name: string,
  value: unknown,
  {
    isVerify,
    lengthMax,
    phone,
  }: { isVerify: boolean; lengthMax: number; phone: Phone | undefined },
): unknown {
  if (name === 'code') return REDACTED;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'object') return Array.isArray(value) ? `[${REDACTED}]` : `{${REDACTED}}`;
  const text = String(value);
  // People mix up the fields of a check, so a code can be in any of them.
  if (isVerify && !isPhone(name, text, phone) && mayHoldCode(text)) return REDACTED;
  return typeof value === 'number' ? value : cut(withoutSecrets(text), lengthMax);
}

function isPhone(name: string, text: string, phone: Phone | undefined): boolean {
  return name === 'phone' && (phone ?? parsePhone(text)?.phone ?? '').length >= PHONE_DIGITS_MIN;
}

/** The shortest code has four digits. */
function mayHoldCode(text: string): boolean {
  return (text.match(/\p{Nd}/gu)?.length ?? 0) >= 4;
}

function redactName(name: string): string {
  return /^[A-Za-z][A-Za-z_-]{0,39}$/.test(name) ? name : REDACTED;
}

/** Without API keys, and without the password of an address. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(/zk_(live|test)_[\w-]+/gi, `zk_$1_${REDACTED}`)
    .replaceAll(/\bbearer\s+\S+/gi, `Bearer ${REDACTED}`)
    .replaceAll(/\/\/[^/?#\s]*@/g, `//${REDACTED}@`);
}

function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  // Not between the halves of a surrogate pair, which the database could not store.
  return `${text
    .slice(0, lengthMax)
    .toWellFormed()
    .replace(/\ufffd$/, '')}${CUT}`;
}
