import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import {
  PROFILE_ENDPOINTS as P,
  SESSION_ENDPOINTS as S,
} from '@zhiber/contract/cabinet/session.ts';
import { createPasswords } from '../../src/people/password/passwords.ts';
import { takeAttempt } from '../../src/people/sign-in/attempt-store.ts';
import { Problem } from '../../src/problem.ts';
import { together, useService } from '../harness.ts';
import { lettersTo, tokenAt } from './inbox.ts';
import { signedIn } from './signed-in.ts';

const service = useService({ env: { TRUST_PROXY: '127.0.0.1' } });
const cabinet = signedIn(service);
const PASSWORD = 'верный конь 5';
const QUARTER = 15 * 60;

async function personWithPassword(email: string) {
  const person = await cabinet.person();
  (await cabinet.as(person).call(P.changeEmail, { body: { email } })).ok();
  const body = { token: tokenAt(service, email) };
  (await cabinet.as(person).call(S.confirmEmail, { body })).ok();
  (await cabinet.as(person).call(P.changePassword, { body: { password: PASSWORD } })).ok();
  return person;
}

const signIn = (email: string, password: string, address = '10.1.0.1') =>
  cabinet.call(S.signInByEmail, {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });

/** As the attempts from one address are counted, whomever they are for. */
const macOfAddress = (address: string) =>
  service.ctx.secrets.macOfProof(
    'attempt to sign in',
    JSON.stringify(['password', 'address', address]),
  );

test('ten wrong passwords pass in a quarter of an hour, exactly, also all at once', async () => {
  const email = 'guessed@example.kz';
  await personWithPassword(email);
  const answers = await together(60, () => signIn(email, 'wrong'));
  const passed = answers.filter(({ status }) => status === 401).length;
  assert.deepEqual([passed, answers.length - passed], [10, 50]);
  const refusal = (await signIn(email, PASSWORD)).refused('sign_in_limited');
  assert(Number(refusal.retry_after) > QUARTER - 60, String(refusal.retry_after));
  // Whoever comes from elsewhere is not kept out, and nobody is for good.
  (await signIn(email, PASSWORD, '10.1.0.2')).ok();
  await service.passTime(QUARTER);
  (await signIn(email, PASSWORD)).ok();
});

test('whose account is guessed at gets a letter, once a day', async () => {
  const email = 'warned@example.kz';
  await personWithPassword(email);
  const before = lettersTo(service, email).length;
  const letters = () => lettersTo(service, email).slice(before);
  for (let i = 0; i < 10; i++) await signIn(email, 'wrong', '10.1.0.4');
  assert.equal(letters().length, 0, 'ten may be forgetfulness');
  await together(20, () => signIn(email, 'wrong', '10.1.0.4'));
  await together(20, () => signIn(email, 'wrong', '10.1.0.5'));
  assert.equal(letters().length, 1);
  assert.match(letters()[0]?.text ?? '', /неверный пароль или код.*смените пароль/s);

  await service.passTime(24 * 3600);
  await together(20, () => signIn(email, 'wrong', '10.1.0.4'));
  assert.equal(letters().length, 2);
});

test('whoever tries many accounts has no letters sent to them', async () => {
  const email = 'passed-by@example.kz';
  await personWithPassword(email);
  const before = lettersTo(service, email).length;
  for (let i = 0; i < 200; i++) {
    const subject = macOfAddress('10.1.0.6');
    await takeAttempt(service.ctx.db, { subject, max: 200, seconds: 3600 });
  }
  (await signIn(email, PASSWORD, '10.1.0.6')).refused('sign_in_limited');
  assert.equal(lettersTo(service, email).length, before);
});

test('an address that nobody has is counted the same way', async () => {
  const email = 'nobody@example.kz';
  const answers = await together(20, () => signIn(email, 'wrong', '10.1.0.3'));
  assert.equal(answers.filter(({ status }) => status === 401).length, 10);
});

test('no more attempts are given out than there are, from two hundred at once', async () => {
  const subject = Buffer.from('subject of this test');
  const takes = await together(200, () =>
    takeAttempt(service.ctx.db, { subject, max: 7, seconds: 60 }),
  );
  assert.equal(takes.filter(({ waitSeconds }) => waitSeconds === 0).length, 7);
  assert(takes.every(({ waitSeconds }) => waitSeconds >= 0 && waitSeconds <= 60));
});

test('past a short queue a password is not hashed at all', async () => {
  const passwords = createPasswords({ N: 2 ** 12, r: 8, p: 1 });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => passwords.hash(PASSWORD)),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  const placesMax = Math.min(2, Math.max(1, availableParallelism() - 1)) + 16;
  assert.equal(refused.length, 20 - placesMax);
  for (const { reason } of refused) {
    assert(reason instanceof Problem);
    assert.equal(reason.code, 'service_unavailable');
  }
  // Whoever comes afterwards finds it as before.
  const hash = await passwords.hash(PASSWORD);
  assert.equal(await passwords.verify({ hash, password: PASSWORD.normalize('NFD') }), true);
  assert.equal(await passwords.verify({ hash, password: `${PASSWORD} ` }), false);
});

test('a password is kept as a dear hash', async () => {
  const hash = await createPasswords().hash(PASSWORD);
  assert.match(hash, /^scrypt\$131072\$8\$1\$[^$]{24}\$[^$]{44}$/);
});
