import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { newId } from '../../src/ids.ts';
import { openDemo } from '../../src/installation/demo-company.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createAuthenticator } from './authenticator.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { readEmailToken, readNewestCode } from './inbox.ts';

const service = useService();
const cabinet = createCabinetClient(service);

async function enableSecondFactor(person: { cookie: string }) {
  await cabinet.proveIdentities();
  const { uri } = (await cabinet.as(person).call(P.startSecondFactor)).ok();
  const app = createAuthenticator(uri);
  const body = { code: app.code() };
  const { recovery_codes: codes } = (
    await cabinet.as(person).call(P.confirmSecondFactor, { body })
  ).ok();
  return { app, codes };
}

/** A browser after the first step of a sign-in, before the second factor. */
async function completeFirstStep({ phone }: TestPerson) {
  const { cookie } = await cabinet.person({ phone });
  return { cookie };
}

test('the second factor is enabled by a first correct code', async () => {
  const person = await cabinet.person();
  await cabinet.proveIdentities();
  const { uri, secret } = (await cabinet.as(person).call(P.startSecondFactor)).ok();
  assert.match(uri, /^otpauth:\/\/totp\/Zhiber:%2B7701\d{7}\?/);
  const parameters = new URL(uri).searchParams;
  assert.equal(parameters.get('secret'), secret);
  assert.equal(parameters.get('issuer'), 'Zhiber');
  assert.match(secret, /^[A-Z2-7]{32}$/);
  (await cabinet.as(person).call(P.confirmSecondFactor, { body: { code: '000000' } })).refused(
    'wrong_code',
  );
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.has_second_factor, false);
  const body = { code: createAuthenticator(uri).code() };
  (await cabinet.as(person).call(P.confirmSecondFactor, { body })).ok();
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.has_second_factor, true);
});

test('enabling or disabling it ends the other sessions and keeps the current one', async () => {
  const person = await cabinet.person();
  const elsewhere = await cabinet.person({ phone: person.phone });
  await enableSecondFactor(person);
  (await cabinet.as(elsewhere).call(S.session)).refused('not_signed_in');
  (await cabinet.as(person).call(P.endSecondFactor)).ok();
  (await cabinet.as(person).call(S.session)).ok();
  const again = await cabinet.person({ phone: person.phone });
  (await cabinet.as(again).call(S.session)).ok();
});

test('the first step gives no access, and the second starts a new session', async () => {
  const person = await cabinet.person();
  const { app } = await enableSecondFactor(person);
  const browser = await completeFirstStep(person);
  const firstStepCookie = browser.cookie;
  for (const endpoint of [S.session, S.signOut, P.sessions, P.endSecondFactor]) {
    (await cabinet.as(browser).call(endpoint)).refused('not_signed_in');
  }
  (await cabinet.as(browser).call(S.signInSecond, { body: { code: app.nextCode() } })).ok();
  assert.notEqual(browser.cookie, firstStepCookie);
  (await cabinet.as(browser).call(S.session)).ok();
  (await cabinet.as({ cookie: firstStepCookie }).call(S.session)).refused('not_signed_in');
});

test('the second step must follow within ten minutes', async () => {
  const person = await cabinet.person();
  const { app } = await enableSecondFactor(person);
  const browser = await completeFirstStep(person);
  await service.passTime(601);
  (await cabinet.as(browser).call(S.signInSecond, { body: { code: app.nextCode() } })).refused(
    'not_signed_in',
  );
});

test('a TOTP code is accepted once, even when it is sent concurrently', async () => {
  const person = await cabinet.person();
  const { app } = await enableSecondFactor(person);
  const browsers = [];
  for (let i = 0; i < 4; i++) browsers.push(await completeFirstStep(person));
  const body = { code: app.nextCode() };
  const answers = await Promise.all(
    browsers.map((browser) => cabinet.as(browser).call(S.signInSecond, { body })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401]);
});

test('a recovery code is accepted once, even when it is sent concurrently', async () => {
  const person = await cabinet.person();
  const { codes } = await enableSecondFactor(person);
  assert.equal(new Set(codes).size, 10);
  const browsers = [];
  for (let i = 0; i < 4; i++) browsers.push(await completeFirstStep(person));
  const [first = '', second = ''] = codes;
  const body = { code: first, is_recovery_code: true };
  const answers = await Promise.all(
    browsers.map((browser) => cabinet.as(browser).call(S.signInSecond, { body })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401]);
  const browser = await completeFirstStep(person);
  const spelled = { code: second.toUpperCase().replace('-', ' '), is_recovery_code: true };
  (await cabinet.as(browser).call(S.signInSecond, { body: spelled })).ok();
});

test('the code that enabled it does not sign in as well', async () => {
  const person = await cabinet.person();
  await cabinet.proveIdentities();
  const { uri } = (await cabinet.as(person).call(P.startSecondFactor)).ok();
  const body = { code: createAuthenticator(uri).code() };
  (await cabinet.as(person).call(P.confirmSecondFactor, { body })).ok();
  const browser = await completeFirstStep(person);
  (await cabinet.as(browser).call(S.signInSecond, { body })).refused('wrong_code');
});

test('an app that is connected cannot be replaced by another', async () => {
  const person = await cabinet.person();
  const { app } = await enableSecondFactor(person);
  (await cabinet.as(person).call(P.startSecondFactor)).refused('validation_error');
  const browser = await completeFirstStep(person);
  (await cabinet.as(browser).call(S.signInSecond, { body: { code: app.nextCode() } })).ok();
});

test('a recovery code of another person is refused, and stays theirs', async () => {
  const [victim, thief] = [await cabinet.person(), await cabinet.person()];
  await enableSecondFactor(victim);
  const { codes } = await enableSecondFactor(thief);
  const body = { code: codes[0] as string, is_recovery_code: true };
  const stolen = await completeFirstStep(victim);
  (await cabinet.as(stolen).call(S.signInSecond, { body })).refused('wrong_code');
  const own = await completeFirstStep(thief);
  (await cabinet.as(own).call(S.signInSecond, { body })).ok();
});

describe('beside a passkey', () => {
  const addPasskey = async ({ personId }: TestPerson) => {
    const id = newId(Date.now());
    await service.sql(
      `insert into passkey (id, credential_id, person_id, name, public_key, counter)
       values ($1, $1, $2, 'Ноутбук', '', 0)`,
      [id, personId],
    );
    return id;
  };

  test('an app whose first code was never entered does not sign in', async () => {
    const person = await cabinet.person();
    await cabinet.proveIdentities();
    const { uri } = (await cabinet.as(person).call(P.startSecondFactor)).ok();
    await addPasskey(person);
    const browser = await completeFirstStep(person);
    const body = { code: createAuthenticator(uri).code() };
    (await cabinet.as(browser).call(S.signInSecond, { body })).refused('wrong_code');
  });

  test('an app that is disconnected leaves the recovery codes', async () => {
    const person = await cabinet.person();
    const { codes } = await enableSecondFactor(person);
    await addPasskey(person);
    (await cabinet.as(person).call(P.endSecondFactor)).ok();
    const browser = await completeFirstStep(person);
    const body = { code: codes[0] as string, is_recovery_code: true };
    (await cabinet.as(browser).call(S.signInSecond, { body })).ok();
  });

  test('the app stays when the passkey is removed, which ends the other sessions', async () => {
    const person = await cabinet.person();
    const { app, codes } = await enableSecondFactor(person);
    const id = await addPasskey(person);
    const elsewhere = await completeFirstStep(person);
    const body = { code: codes[0] as string, is_recovery_code: true };
    (await cabinet.as(elsewhere).call(S.signInSecond, { body })).ok();
    (await cabinet.as(person).call(P.removePasskey, { params: { id } })).ok();
    (await cabinet.as(elsewhere).call(S.session)).refused('not_signed_in');
    (await cabinet.as(person).call(S.session)).ok();
    const browser = await completeFirstStep(person);
    (await cabinet.as(browser).call(S.signInSecond, { body: { code: app.nextCode() } })).ok();
  });
});

test('exactly five wrong codes are checked in 15 minutes, even when sent concurrently', async () => {
  const person = await cabinet.person();
  const { app } = await enableSecondFactor(person);
  const browser = await completeFirstStep(person);
  const wrong = { code: '1111 1111' };
  const answers = await runConcurrently(40, () =>
    cabinet.as({ ...browser }).call(S.signInSecond, { body: wrong }),
  );
  const checkedCount = answers.filter(({ status }) => status === 401).length;
  assert.deepEqual([checkedCount, answers.length - checkedCount], [5, 35]);
  (await cabinet.as(browser).call(S.signInSecond, { body: { code: app.nextCode() } })).refused(
    'sign_in_limited',
  );
  await service.passTime(15 * 60);
  const later = await completeFirstStep(person);
  (await cabinet.as(later).call(S.signInSecond, { body: { code: app.nextCode() } })).ok();
});

test('a correct code resets the count of wrong ones', async () => {
  const person = await cabinet.person();
  const { codes } = await enableSecondFactor(person);
  for (const code of codes.slice(0, 2)) {
    const browser = await completeFirstStep(person);
    for (let i = 0; i < 4; i++) {
      (await cabinet.as(browser).call(S.signInSecond, { body: { code: 'wrong' } })).refused(
        'wrong_code',
      );
    }
    const body = { code, is_recovery_code: true };
    (await cabinet.as(browser).call(S.signInSecond, { body })).ok();
  }
});

test('with a second factor the identity is confirmed by the app, not by a code to the phone', async () => {
  const person = await cabinet.person();
  const { app } = await enableSecondFactor(person);
  (await cabinet.as(person).call(S.sendIdentityCode)).ok();
  const byPhone = { code: readNewestCode(service, person.phone) };
  (await cabinet.as(person).call(S.confirmIdentity, { body: byPhone })).refused('wrong_code');
  (await cabinet.as(person).call(S.confirmIdentity, { body: { code: app.nextCode() } })).ok();
  const wrong = await runConcurrently(16, () =>
    cabinet.as({ ...person }).call(S.confirmIdentity, { body: { code: '1111 1111' } }),
  );
  assert.equal(wrong.filter(({ status }) => status === 401).length, 5);
});

describe('the second factor cannot be bypassed by', () => {
  before(async () => {
    await openDemo(service.ctx);
  });

  test('a code to the phone', async () => {
    const person = await cabinet.person();
    await enableSecondFactor(person);
    const { phone } = person;
    const browser = { cookie: '' };
    const body = await cabinet.requestPhoneCode(phone, browser);
    (await cabinet.as(browser).call(S.signInByPhone, { body })).refused('second_factor_required');
    (await cabinet.as(browser).call(S.session)).refused('not_signed_in');
  });

  test('email and password, even after a reset', async () => {
    const person = await cabinet.person();
    await cabinet.proveIdentities();
    const email = 'second@example.kz';
    (await cabinet.as(person).call(P.changeEmail, { body: { email } })).ok();
    const confirm = { token: readEmailToken(service, email) };
    (await cabinet.as(person).call(P.confirmNewEmail, { body: confirm })).ok();
    const body = { email, password: 'верный конь 5' };
    (await cabinet.as(person).call(P.changePassword, { body })).ok();
    await enableSecondFactor(person);
    const browser = { cookie: '' };
    (await cabinet.as(browser).call(S.signInByEmail, { body })).refused('second_factor_required');
    (await cabinet.as(browser).call(S.session)).refused('not_signed_in');

    (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
    const reset = { token: readEmailToken(service, email), password: 'another long one' };
    const answer = await cabinet.as(browser).call(S.resetPassword, { body: reset });
    answer.ok();
    assert.equal(answer.headers['set-cookie'], undefined);
    const again = { email, password: reset.password };
    (await cabinet.as(browser).call(S.signInByEmail, { body: again })).refused(
      'second_factor_required',
    );
    (await cabinet.as(browser).call(S.session)).refused('not_signed_in');
  });

  test('the confirmation of an email address', async () => {
    const person = await cabinet.person();
    await enableSecondFactor(person);
    const email = 'half@example.kz';
    (await cabinet.as(person).call(P.changeEmail, { body: { email } })).ok();
    const browser = await completeFirstStep(person);
    const body = { token: readEmailToken(service, email) };
    (await cabinet.as(browser).call(P.confirmNewEmail, { body })).refused('not_signed_in');
  });

  test('the demo', async () => {
    const owner = { cookie: '' };
    (await cabinet.as(owner).call(S.enterDemo)).ok();
    const { company } = (await cabinet.as(owner).call(S.session)).ok();
    assert.equal(company?.is_demo, true);
    await enableSecondFactor(owner);
    const browser = { cookie: '' };
    (await cabinet.as(browser).call(S.enterDemo)).refused('second_factor_required');
    (await cabinet.as(browser).call(S.session)).refused('not_signed_in');
  });
});
