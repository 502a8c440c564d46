import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';

export type Answer = {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { error_code?: ErrorCode };
};

export type InboxMessage = {
  message_id: string;
  phone: string;
  channel: string;
  kind: string;
  text: string;
  code: string | null;
  link: string | null;
  at: string;
};

/**
 * A client that knows only the address and a key, like a real integrator. Aborting `connection`
 * disconnects it in the middle of its calls.
 */
export function integrator(site: string, key: string, connection?: AbortSignal) {
  const authorization = `Bearer ${key}`;

  /** Calls an endpoint and asserts what the contract promises of every answer. */
  const call = async (
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await fetch(`${site}/api${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: connection ?? null,
    });
    return checkAnswer({
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Answer['body'],
    });
  };

  /** The messages in the virtual phone, after waiting up to `wait` seconds for the first. */
  const inbox = async (
    phone: string,
    query: { wait?: number; since?: string } = {},
  ): Promise<InboxMessage[]> => {
    const search = new URLSearchParams({ phone, wait: String(query.wait ?? 0) });
    if (query.since !== undefined) search.set('since', query.since);
    const answer = await fetch(`${site}/sandbox/messages?${search}`, {
      headers: { authorization },
    });
    const { messages } = (await answer.json()) as { messages: InboxMessage[] };
    assert.equal(answer.status, 200);
    return messages;
  };

  return {
    call,
    inbox,
    send: (phone: string, more: object = {}, headers: Record<string, string> = {}) =>
      call('/otp/send', { phone, ...more }, headers),
    verify: (phone: string, code: string, more: object = {}) =>
      call('/otp/verify', { phone, code, ...more }),
    /** The newest code on a phone. */
    codeOn: async (phone: string): Promise<string> => {
      const code = (await inbox(phone, { wait: 10 })).at(-1)?.code;
      assert(typeof code === 'string', `no code came to ${phone}`);
      return code;
    },
  };
}

/** Status and `success` must agree: some clients look only at one of them. */
function checkAnswer(answer: Answer): Answer {
  const { status, headers, body } = answer;
  const details = `${status} ${JSON.stringify(body)}`;
  assert.equal(body.success, status === 200, details);
  assert.match(String(body.message), /[а-яё]/i, details);
  assert.match(headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/, details);
  if (status === 200) return answer;
  assert(body.error_code !== undefined && body.error_code in ERRORS, details);
  assert.equal(ERRORS[body.error_code].status, status, details);
  assert.equal(body.request_id, headers.get('x-request-id'), details);
  if (status === 429 || status === 503) {
    assert.equal(headers.get('retry-after'), String(body.retry_after), details);
  }
  return answer;
}

/** Status and error code of a refusal, for comparison. */
export function refusal({ status, body }: Answer): [number, string | undefined] {
  return [status, body.error_code];
}

/**
 * Long enough for a busy machine; it only prevents waiting for ever. Promised times are verified by
 * tests with a fake clock.
 */
const EVENTUALLY_MS = 90_000;

/** Repeats the call until the predicate holds, or fails with the last value. */
export async function eventually<T>(
  call: () => Promise<T>,
  isExpected: (value: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + EVENTUALLY_MS;
  for (;;) {
    const value = await call();
    if (isExpected(value)) return value;
    assert(performance.now() < deadline, `not within ${EVENTUALLY_MS} ms; last: ${String(value)}`);
    await pause(50);
  }
}

/** Opens a short link without following the redirect. */
export async function openLink(url: string, method = 'GET'): Promise<Response> {
  return await fetch(url, { method, redirect: 'manual' });
}
