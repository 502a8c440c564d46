import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answered, type TestKey, together } from '../harness.ts';
import { wrongCode } from '../wrong-code.ts';
import { tally, useTwoNodes } from './two-nodes.ts';

const { service, post } = useTwoNodes();

async function sendCode(key: TestKey, phone: string): Promise<string> {
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
  return service.codeOn(key, phone);
}

function attemptsLeft(answers: Answered[]): unknown[] {
  return answers
    .filter((answer) => answer.body.error_code === 'invalid_code')
    .map((answer) => answer.body.attempts_left)
    .sort()
    .reverse();
}

type Send = (index: number, path: string, body: unknown, key: TestKey) => Promise<Answered>;
const places: Record<string, Send> = {
  'one node': (_, path, body, key) => service.call(path, body, key),
  'two nodes': post,
};

for (const [place, send] of Object.entries(places)) {
  test(`of 200 wrong guesses at once five are compared, on ${place}`, async () => {
    const key = await service.key();
    const phone = service.phone();
    const code = await sendCode(key, phone);
    const answers = await together(200, (i) =>
      send(i, '/otp/verify', { phone, code: wrongCode(code, i) }, key),
    );
    assert.deepEqual(tally(answers), { invalid_code: 5, too_many_attempts: 195 });
    assert.deepEqual(attemptsLeft(answers), [4, 3, 2, 1, 0]);
    const right = await service.call('/otp/verify', { phone, code }, key);
    assert.equal(right.status, 429);
    assert.equal(right.body.error_code, 'too_many_attempts');
  });

  test(`of 300 right codes at once one succeeds, on ${place}`, async () => {
    const key = await service.key();
    const phone = service.phone();
    const code = await sendCode(key, phone);
    const answers = await together(300, (i) => send(i, '/otp/verify', { phone, code }, key));
    assert.deepEqual(tally(answers), { ok: 1, code_already_used: 299 });
  });
}

test('right and wrong guesses at once: one success at most, and five comparisons of wrong ones', async () => {
  const key = await service.key();
  const phone = service.phone();
  const code = await sendCode(key, phone);
  const answers = await together(300, (i) =>
    post(i, '/otp/verify', { phone, code: i % 10 === 9 ? code : wrongCode(code, i) }, key),
  );
  const counts = tally(answers);
  assert((counts.ok ?? 0) <= 1, JSON.stringify(counts));
  assert((counts.invalid_code ?? 0) <= 5, JSON.stringify(counts));
  assert.equal(counts.internal_error, undefined);
});

test('guesses at one code do not use up those of another purpose, key or phone', async () => {
  const key = await service.key();
  const sibling = await service.key({ companyId: key.companyId });
  const phone = service.phone();
  await sendCode(key, phone);
  const otherPhone = service.phone();
  const otherCode = await sendCode(sibling, otherPhone);
  await together(50, (i) =>
    post(i, '/otp/verify', { phone, code: wrongCode(service.codeOn(key, phone), i) }, key),
  );
  const body = { phone: otherPhone, code: otherCode };
  assert.equal((await service.call('/otp/verify', body, key)).body.error_code, 'code_not_found');
  const elsewhere = await service.call('/otp/verify', { ...body, purpose: 'other' }, sibling);
  assert.equal(elsewhere.body.error_code, 'code_not_found');
  assert.equal((await service.call('/otp/verify', body, sibling)).status, 200);
});

test('resending gives no more than ten wrong guesses an hour, and the right code is refused', async () => {
  const key = await service.key();
  const phone = service.phone();
  for (const round of [1, 2]) {
    const code = await sendCode(key, phone);
    const answers = await together(100, (i) =>
      post(i, '/otp/verify', { phone, code: wrongCode(code, i) }, key),
    );
    assert.deepEqual(tally(answers), { invalid_code: 5, too_many_attempts: 95 }, `round ${round}`);
    await service.passTime(61);
  }

  const code = await sendCode(key, phone);
  const wrong = await together(50, (i) =>
    post(i, '/otp/verify', { phone, code: wrongCode(code, i) }, key),
  );
  assert.deepEqual(tally(wrong), { too_many_attempts: 50 });
  const right = await service.call('/otp/verify', { phone, code }, key);
  assert.equal(right.body.error_code, 'too_many_attempts');
  const wait = Number(right.body.retry_after);
  assert(wait > 60 && wait <= 3_600, `retry_after ${wait}`);

  await service.passTime(3_600);
  const later = await sendCode(key, phone);
  assert.equal((await service.call('/otp/verify', { phone, code: later }, key)).status, 200);
});

test('when the codes are spread over an hour, attempts_left never promises more than are left', async () => {
  const key = await service.key();
  const phone = service.phone();
  const first = await sendCode(key, phone);
  for (let i = 0; i < 4; i++) {
    await service.call('/otp/verify', { phone, code: wrongCode(first, i) }, key);
  }
  await service.passTime(61);
  const second = await sendCode(key, phone);
  for (let i = 0; i < 4; i++) {
    await service.call('/otp/verify', { phone, code: wrongCode(second, i) }, key);
  }
  await service.passTime(61);
  const third = await sendCode(key, phone);
  const answers = await together(20, (i) =>
    post(i, '/otp/verify', { phone, code: wrongCode(third, i) }, key),
  );
  assert.deepEqual(tally(answers), { invalid_code: 2, too_many_attempts: 18 });
  assert.deepEqual(attemptsLeft(answers), [1, 0]);
});

test('a new code ends the old one', async () => {
  const key = await service.key();
  const phone = service.phone();
  const old = await sendCode(key, phone);
  await service.passTime(61);
  const fresh = await sendCode(key, phone);
  if (old !== fresh) {
    const answers = await together(20, (i) => post(i, '/otp/verify', { phone, code: old }, key));
    assert.equal(tally(answers).ok, undefined);
  }
});
