import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { takeAttempt } from '../../src/accounts/attempt-store.ts';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { Problem } from '../../src/problem.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createAuthenticator } from './authenticator.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { lettersTo, readEmailToken } from './inbox.ts';

const service = useService({ env: { TRUST_PROXY: '127.0.0.1' } });
const cabinet = createCabinetClient(service);
const PASSWORD = 'верный конь 5';
const WINDOW_SECONDS = 15 * 60;

async function createPersonWithPassword(email: string) {
  const person = await cabinet.person();
  await cabinet.proveIdentities();
  (await cabinet.as(person).call(P.changeEmail, { body: { email } })).ok();
  const body = { token: readEmailToken(service, email) };
  (await cabinet.as(person).call(P.confirmNewEmail, { body })).ok();
  (await cabinet.as(person).call(P.changePassword, { body: { password: PASSWORD } })).ok();
  return person;
}

const signIn = (email: string, password: string, address = '10.1.0.1') =>
  cabinet.call(S.signInByEmail, {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });

/** How many of 60 wrong passwords are checked. A network has a few checks at a time. */
async function countChecked(email: string, address: string): Promise<number> {
  let checked = 0;
  for (let round = 0; round < 6; round++) {
    const answers = await runConcurrently(10, () => signIn(email, 'wrong', address));
    checked += answers.filter(({ status }) => status === 401).length;
  }
  return checked;
}

/** The key under which attempts from one address are counted, for all accounts together. */
const macOfAddress = (address: string) =>
  service.ctx.secrets.macOfProof(
    'attempt to sign in',
    JSON.stringify(['password', 'address', address]),
  );

test('exactly ten wrong passwords are checked in 15 minutes, even when sent concurrently', async () => {
  const email = 'guessed@example.kz';
  await createPersonWithPassword(email);
  assert.equal(await countChecked(email, '10.1.0.1'), 10);
  const refusal = (await signIn(email, PASSWORD)).refused('sign_in_limited');
  assert(Number(refusal.retry_after) > WINDOW_SECONDS - 60, String(refusal.retry_after));
  // Another address is not locked out, and the lock ends.
  (await signIn(email, PASSWORD, '10.1.0.2')).ok();
  await service.passTime(WINDOW_SECONDS);
  (await signIn(email, PASSWORD)).ok();
});

test('a signed-in browser has ten wrong passwords checked as well', async () => {
  const person = await createPersonWithPassword('guessed-inside@example.kz');
  const confirm = (password: string) =>
    cabinet.as(person).call(S.confirmIdentity, { body: { password } });
  const change = (current: string) =>
    cabinet.as(person).call(P.changePassword, { body: { current, password: 'another long one' } });
  for (let i = 0; i < 5; i++) (await confirm('wrong')).refused('wrong_credentials');
  for (let i = 0; i < 5; i++) (await change('wrong')).refused('wrong_credentials');
  (await confirm(PASSWORD)).refused('sign_in_limited');
  (await change(PASSWORD)).refused('sign_in_limited');
});

test('twenty second codes of a person are checked in an hour, from whatever network', async () => {
  const person = await cabinet.person();
  await cabinet.proveIdentities();
  const { uri } = (await cabinet.as(person).call(P.startSecondFactor)).ok();
  const first = { code: createAuthenticator(uri).code() };
  const { recovery_codes: codes } = (
    await cabinet.as(person).call(P.confirmSecondFactor, { body: first })
  ).ok();
  const guess = (network: number, code = '11111111') =>
    cabinet.as(person).call(S.confirmIdentity, {
      body: { code, is_recovery_code: true },
      headers: { 'x-forwarded-for': `10.2.0.${network}` },
    });
  // The code that connected the app was one of them.
  for (let i = 0; i < 14; i++) (await guess(i % 4)).refused('wrong_code');
  // A right code gives its own network new attempts, and not everybody.
  (await guess(4, codes[0])).ok();
  for (let i = 0; i < 4; i++) (await guess(5)).refused('wrong_code');
  (await guess(6, codes[1])).refused('sign_in_limited');
});

test('repeated wrong passwords send a warning email, once a day', async () => {
  const email = 'warned@example.kz';
  await createPersonWithPassword(email);
  const before = lettersTo(service, email).length;
  const letters = () => lettersTo(service, email).slice(before);
  for (let i = 0; i < 10; i++) await signIn(email, 'wrong', '10.1.0.4');
  assert.equal(letters().length, 0, 'ten wrong attempts may be a forgotten password');
  await countChecked(email, '10.1.0.4');
  await countChecked(email, '10.1.0.5');
  assert.equal(letters().length, 1);
  assert.match(letters()[0]?.text ?? '', /неверный пароль или код.*смените пароль/s);

  await service.passTime(24 * 3600);
  await countChecked(email, '10.1.0.4');
  assert.equal(letters().length, 2);
});

test('an address that tries many accounts cannot cause warning emails', async () => {
  const email = 'passed-by@example.kz';
  await createPersonWithPassword(email);
  const before = lettersTo(service, email).length;
  for (let i = 0; i < 200; i++) {
    const subject = macOfAddress('10.1.0.6');
    await takeAttempt(service.ctx.db, { subject, max: 200, seconds: 3600 });
  }
  (await signIn(email, PASSWORD, '10.1.0.6')).refused('sign_in_limited');
  assert.equal(lettersTo(service, email).length, before);
});

test('attempts on an unknown email are counted in the same way', async () => {
  const email = 'nobody@example.kz';
  assert.equal(await countChecked(email, '10.1.0.3'), 10);
});

test('two hundred concurrent attempts never exceed the limit', async () => {
  const subject = Buffer.from('subject of this test');
  const takes = await runConcurrently(200, () =>
    takeAttempt(service.ctx.db, { subject, max: 7, seconds: 60 }),
  );
  assert.equal(takes.filter(({ waitSeconds }) => waitSeconds === 0).length, 7);
  assert(takes.every(({ waitSeconds }) => waitSeconds >= 0 && waitSeconds <= 60));
});

test('a password is refused without hashing when the queue is full', async () => {
  const passwords = createPasswords({ N: 2 ** 12, r: 8, p: 1 });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      passwords.hash({ password: PASSWORD, address: `10.2.0.${i}` }),
    ),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  const placesMax = Math.min(2, Math.max(1, availableParallelism() - 1)) + 16;
  assert.equal(refused.length, 20 - placesMax);
  for (const { reason } of refused) {
    assert(reason instanceof Problem);
    assert.equal(reason.code, 'service_unavailable');
  }
  // Hashing works again afterwards.
  const address = '10.2.0.1';
  const hash = await passwords.hash({ password: PASSWORD, address });
  const decomposed = PASSWORD.normalize('NFD');
  const findHash = async () => hash;
  assert.equal(await passwords.verify({ findHash, password: decomposed, address }), true);
  assert.equal(await passwords.verify({ findHash, password: `${PASSWORD} `, address }), false);
});

test('twenty parallel sign-ins of one network leave the others their turn', async () => {
  const passwords = createPasswords({ N: 2 ** 12, r: 8, p: 1 });
  const hashFrom = (address: string) => passwords.hash({ password: PASSWORD, address });
  const flood = Array.from({ length: 20 }, (_, i) => hashFrom(`2001:db8:0:1::${i + 1}`));
  const others = ['2001:db8:0:2::1', '10.3.0.1', '10.3.0.2'].map(hashFrom);
  const results = await Promise.allSettled(flood);
  const refused = results.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 16, 'one network has four at a time');
  for (const { reason } of refused) {
    assert(reason instanceof Problem);
    assert.equal(reason.code, 'sign_in_limited');
  }
  for (const hash of await Promise.all(others)) assert.match(hash, /^scrypt\$/);
});

test('a password is stored as an expensive scrypt hash', async () => {
  const hash = await createPasswords().hash({ password: PASSWORD, address: '10.2.0.1' });
  assert.match(hash, /^scrypt\$131072\$8\$1\$[^$]{24}\$[^$]{44}$/);
});
