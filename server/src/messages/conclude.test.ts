import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompanyId, MessageId } from '../ids.ts';
import { conclude, type Try } from './conclude.ts';
import { freeAtOf } from './find-story.ts';
import type { CountedSend, FoundCall } from './story-store.ts';

const BASE = Date.parse('2026-11-15T09:05:00Z');
const at = (seconds: number) => new Date(BASE + seconds * 1000);
const A = 1 as CompanyId;

const refusedTry = (seconds: number, call: Partial<FoundCall> = {}): Try => ({
  at: at(seconds),
  companyId: A,
  freeAt: null,
  refusal: {
    company_id: A,
    at: at(seconds),
    request_id: 'req',
    path: '/api/otp/send',
    status: 402,
    error_code: 'insufficient_tokens',
    phone: '+7701***4567',
    message_id: null,
    is_test: false,
    ...call,
  },
});

type Story = Extract<Try, { story: unknown }>['story'];

const sentTry = (
  seconds: number,
  change: Partial<Story['message']> = {},
  verified?: number,
): Try => ({
  at: at(seconds),
  companyId: A,
  story: {
    attempts: [],
    sms: [],
    clicks: { count: 0, first_at: null },
    verifiedAt: verified === undefined ? undefined : at(verified),
    message: {
      id: `message ${seconds}` as MessageId,
      kind: 'otp',
      is_test: false,
      recipient: '77011234567',
      state: 'sent',
      receipt: null,
      channel: 'sms',
      route: '',
      charged: 8,
      reason: null,
      slug: null,
      provider_id: null,
      body: null,
      request_id: 'req',
      created_at: at(seconds),
      settled_at: at(seconds),
      receipt_at: null,
      delivered_at: null,
      age_seconds: 0,
      balance: 0,
      ...change,
    },
  },
});
const delivered = { receipt: 'delivered', delivered_at: at(99) } as const;

test('without a try nothing was sent', () => {
  assert.deepEqual(conclude([], []), { verdict: 'nothing_sent' });
});

test('the newest failed try is explained, in any order, with the first arrival after it', () => {
  const tries = [sentTry(30, delivered), refusedTry(10), refusedTry(20), sentTry(0, delivered)];
  const conclusion = conclude(tries, []);
  assert(conclusion.verdict === 'refused');
  assert.deepEqual(conclusion.at, at(20));
  assert.equal(conclusion.later?.messageId, 'message 30');
  assert.equal(conclusion.isMasked, true);
});

test('a try that failed last has no later arrival', () => {
  const conclusion = conclude([sentTry(0, delivered), refusedTry(10)], []);
  assert(conclusion.verdict === 'refused');
  assert.equal(conclusion.later, null);
});

const verdicts: [string, Partial<Story['message']>, string][] = [
  ['accepted without a receipt', {}, 'not_confirmed'],
  ['unconfirmed', { receipt: 'unconfirmed' }, 'not_confirmed'],
  ['reported as failed', { receipt: 'failed' }, 'not_delivered'],
  ['refused by every channel', { state: 'failed' }, 'not_delivered'],
  ['with an unknown outcome', { state: 'unknown' }, 'unknown'],
  ['still being sent', { state: 'sending' }, 'sending'],
  ['delivered', delivered, 'arrived'],
  ['read', { receipt: 'read' }, 'arrived'],
];
for (const [what, change, verdict] of verdicts) {
  test(`a message ${what} is ${verdict}`, () => {
    assert.equal(conclude([sentTry(0, change)], []).verdict, verdict);
  });
}

test('a verified code has arrived, also when its message is said to have failed', () => {
  const conclusion = conclude([sentTry(0, { receipt: 'failed' }, 40)], []);
  assert.partialDeepStrictEqual(conclusion, { verdict: 'arrived', how: 'verified', at: at(40) });
});

test('only guesses after the send and of its company are counted', () => {
  const guess = (seconds: number, company: number, error_code: string) => ({
    at: at(seconds),
    company_id: company as CompanyId,
    error_code,
  });
  const guesses = [
    guess(-1, A, 'invalid_code'),
    guess(5, A, 'invalid_code'),
    guess(6, 2, 'invalid_code'),
    guess(7, A, 'code_expired'),
  ];
  const conclusion = conclude([sentTry(0, delivered)], guesses);
  assert.partialDeepStrictEqual(conclusion, { verdict: 'arrived', wrongCodes: 1, lateCodes: 1 });
});

const sends = (count: number, secondsApart: number): CountedSend[] =>
  Array.from({ length: count }, (_, index) => {
    const sent = at(-30 - index * secondsApart);
    return { created_at: sent, settled_at: sent };
  });

const limits: [string, CountedSend[], 'otp' | 'link', Date | null][] = [
  ['a minute after the last code', sends(1, 0), 'otp', at(30)],
  ['an hour after the tenth newest code', sends(10, 60), 'otp', at(-30 - 9 * 60 + 3600)],
  ['a minute after the last of nine', sends(9, 60), 'otp', at(30)],
  ['a day after the twentieth newest code', sends(20, 600), 'otp', at(-30 - 19 * 600 + 86_400)],
  ['now, as far as its own links go', sends(29, 60), 'link', null],
  ['an hour after the thirtieth newest link', sends(30, 60), 'link', at(-30 - 29 * 60 + 3600)],
  ['now without any send: others have sent', [], 'otp', null],
];
for (const [what, counted, kind, expected] of limits) {
  test(`the phone is free ${what}`, () => {
    assert.deepEqual(freeAtOf(counted, kind, at(0)), expected);
  });
}
