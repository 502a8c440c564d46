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

/** Somebody with an address and a key, and nothing else. */
export function integrator(site: string, key: string) {
  const authorization = `Bearer ${key}`;

  /** Calls an endpoint, and checks what is promised of every answer. */
  const call = async (
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await fetch(`${site}/api${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return checked({
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Answer['body'],
    });
  };

  /** What lies in the virtual phone, after waiting up to `wait` seconds for the first message. */
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
    /** The newest code on a phone, as a person would read it. */
    codeOn: async (phone: string): Promise<string> => {
      const code = (await inbox(phone, { wait: 10 })).at(-1)?.code;
      assert(typeof code === 'string', `no code came to ${phone}`);
      return code;
    },
  };
}

/**
 * A client that looks only at the status and one that looks only at `success` come to the same end.
 */
function checked(answer: Answer): Answer {
  const { status, headers, body } = answer;
  const shown = `${status} ${JSON.stringify(body)}`;
  assert.equal(body.success, status === 200, shown);
  assert.match(String(body.message), /[а-яё]/i, shown);
  assert.match(headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/, shown);
  if (status === 200) return answer;
  assert(body.error_code !== undefined && body.error_code in ERRORS, shown);
  assert.equal(ERRORS[body.error_code].status, status, shown);
  assert.equal(body.request_id, headers.get('x-request-id'), shown);
  if (status === 429 || status === 503) {
    assert.equal(headers.get('retry-after'), String(body.retry_after), shown);
  }
  return answer;
}

/** What a refusal says, as one thing to compare. */
export function refusal({ status, body }: Answer): [number, string | undefined] {
  return [status, body.error_code];
}

/**
 * A guard against waiting for ever, on a busy machine too. How soon something is promised to be so is
 * shown by tests that own the clock.
 */
const EVENTUALLY_MS = 90_000;

/** Asks again until the answer fits, or fails with the last one. */
export async function eventually<T>(
  ask: () => Promise<T>,
  fits: (value: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + EVENTUALLY_MS;
  for (;;) {
    const value = await ask();
    if (fits(value)) return value;
    assert(performance.now() < deadline, `not within ${EVENTUALLY_MS} ms; last: ${String(value)}`);
    await pause(50);
  }
}

/** A short link, opened the way a person does, without going where it leads. */
export async function openLink(url: string, method = 'GET'): Promise<Response> {
  return await fetch(url, { method, redirect: 'manual' });
}
