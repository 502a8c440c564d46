/** Passkeys cannot be guessed; what one network may ask of the server is limited all the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../harness.ts';

const service = useService();

async function post(address: string, path: string, body?: object) {
  const response = await service.http.inject({
    method: 'POST',
    url: `/cabinet${path}`,
    remoteAddress: address,
    headers: { 'x-zhiber-cabinet': '1' },
    ...(body !== undefined && { payload: body }),
  });
  return response.json() as Record<string, unknown>;
}

const TOKEN = 'A'.repeat(43);
/** In the right form, and an answer to nothing. */
const ANSWER = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
  clientExtensionResults: {},
};

test('a network gets 300 challenges in an hour, and another network its own', async () => {
  for (let i = 0; i < 300; i++) {
    assert.equal((await post('10.2.0.1', '/sign-in/passkey')).success, true);
  }
  const refused = await post('10.2.0.1', '/sign-in/passkey');
  assert.equal(refused.error_code, 'sign_in_limited');
  assert(Number(refused.retry_after) > 0);
  assert.equal((await post('10.3.0.1', '/sign-in/passkey')).success, true);
  const stored = await service.sql('select from passkey_challenge');
  assert.equal(stored.length, 301, 'what is refused stores nothing');
  await service.passTime(3_600);
  assert.equal((await post('10.2.0.1', '/sign-in/passkey')).success, true);
});

test('a network has 200 answers in an hour checked', async () => {
  const body = { answer: ANSWER, request_token: TOKEN };
  for (let i = 0; i < 200; i++) {
    const { error_code } = await post('10.2.0.2', '/sign-in/passkey/answer', body);
    assert.equal(error_code, 'passkey_refused');
  }
  const refused = await post('10.2.0.2', '/sign-in/passkey/answer', body);
  assert.equal(refused.error_code, 'sign_in_limited');
});

test('an answer in another form is refused before it is looked at', async () => {
  for (const answer of [
    {},
    { ...ANSWER, id: '<script>' },
    { ...ANSWER, type: 'password' },
    { ...ANSWER, response: { ...ANSWER.response, clientDataJSON: 'x'.repeat(8_193) } },
  ]) {
    const body = { answer, request_token: TOKEN };
    const refused = await post('10.2.0.3', '/sign-in/passkey/answer', body);
    assert.equal(refused.error_code, 'validation_error', JSON.stringify(answer).slice(0, 80));
  }
});
