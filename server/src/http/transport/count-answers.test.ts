import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createMinuteCounts } from '../../runtime/minute-counts.ts';
import { createAnswerCounter } from './count-answers.ts';

function createCounter() {
  const traffic = createMinuteCounts<string, string>();
  const counter = createAnswerCounter({ traffic } as never, ({ url = '' }) =>
    url.startsWith('/s/'),
  );
  const answer = (call: string, statusCode: number, apiKey?: object) => {
    const [method, url] = call.split(' ');
    const request = { raw: { method, url }, apiKey } as unknown as FastifyRequest;
    counter.answered(request, { statusCode } as FastifyReply);
  };
  const counted = () =>
    traffic.since(0).map(({ name, source, good, bad }) => `${name} ${source} ${good} ${bad}`);
  return { counter, answer, counted };
}

const KEY = {};

test('answers to customers are good, also refusals; failures of ours are bad', () => {
  const { answer, counted } = createCounter();
  for (const status of [200, 402, 422, 429, 502, 504]) answer('POST /api/otp/send', status, KEY);
  answer('POST /api/otp/send', 500, KEY);
  // Refused before the key was read.
  answer('POST /api/otp/verify', 503);
  answer('POST /cabinet/login', 401);
  answer('GET /s/abc', 302);
  answer('GET /s/abc', 410);
  answer('GET /s/abc', 503);
  assert.deepEqual(counted(), ['api traffic 6 2', 'cabinet traffic 1 0', 'links traffic 2 1']);
});

test('what nobody has asked for as a customer is not counted', () => {
  const { answer, counted } = createCounter();
  answer('POST /api/otp/send', 401);
  answer('GET /api/health', 503);
  answer('GET /s/nobody', 404);
  answer('HEAD /s/abc', 503);
  answer('GET /docs', 200);
  assert.deepEqual(counted(), []);
});

test('a call that was shed is bad', () => {
  const { counter, counted } = createCounter();
  const refusal = {} as never;
  const request = { method: 'POST', url: '/api/otp/send' } as never;
  assert.equal(counter.refused(request, refusal), refusal);
  assert.deepEqual(counted(), ['api traffic 0 1']);
});
