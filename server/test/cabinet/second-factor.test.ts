import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  PROFILE_ENDPOINTS as P,
  SESSION_ENDPOINTS as S,
} from '@zhiber/contract/cabinet/session.ts';
import { openDemo } from '../../src/company/demo-company.ts';
import { stepOf, totpAt } from '../../src/people/second-factor/totp.ts';
import { together, useService } from '../harness.ts';
import { codeAt, tokenAt } from './inbox.ts';
import { signedIn, type TestPerson } from './signed-in.ts';

const service = useService();
const cabinet = signedIn(service);

type App = { code(steps?: number): string };

/** An app with the secret of a URI. Steps ahead of now are taken for a clock that is fast. */
function appWith(uri: string): App {
  const base32 = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...base32]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
    .map((five) => five.toString(2).padStart(5, '0'))
    .join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return { code: (steps = 0) => totpAt(Buffer.from(bytes), stepOf(new Date()) + steps) };
}

async function turnOn(person: { cookie: string }) {
  const { uri } = (await cabinet.as(person).call(P.startSecondFactor)).ok();
  const app = appWith(uri);
  // The step before: those of now and after are left for the test.
  const body = { code: app.code(-1) };
  const { recovery_codes: codes } = (
    await cabinet.as(person).call(P.confirmSecondFactor, { body })
  ).ok();
  return { app, codes };
}

/** A browser after the first step of a sign-in. */
async function halfSignIn({ phone }: TestPerson) {
  const { cookie } = await cabinet.person({ phone });
  return { cookie };
}

test('it counts once a first code was right', async () => {
  const person = await cabinet.person();
  const { uri, secret } = (await cabinet.as(person).call(P.startSecondFactor)).ok();
  assert.match(uri, /^otpauth:\/\/totp\/Zhiber%3A%2B7701\d{7}\?secret=/);
  assert.match(secret, /^[A-Z2-7]{32}$/);
  (await cabinet.as(person).call(P.confirmSecondFactor, { body: { code: '000000' } })).refused(
    'wrong_credentials',
  );
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.has_second_factor, false);
  const body = { code: appWith(uri).code() };
  (await cabinet.as(person).call(P.confirmSecondFactor, { body })).ok();
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.has_second_factor, true);
});

test('turning it on or off ends the other sessions and keeps this one', async () => {
  const person = await cabinet.person();
  const elsewhere = await cabinet.person({ phone: person.phone });
  await turnOn(person);
  (await cabinet.as(elsewhere).call(S.session)).refused('not_signed_in');
  (await cabinet.as(person).call(P.endSecondFactor)).ok();
  (await cabinet.as(person).call(S.session)).ok();
  const again = await cabinet.person({ phone: person.phone });
  (await cabinet.as(again).call(S.session)).ok();
});

test('after the first step nothing is open; after the second, everything, in a new session', async () => {
  const person = await cabinet.person();
  const { app } = await turnOn(person);
  const browser = await halfSignIn(person);
  const half = browser.cookie;
  for (const endpoint of [S.session, S.signOut, P.sessions, P.endSecondFactor]) {
    (await cabinet.as(browser).call(endpoint)).refused('not_signed_in');
  }
  (await cabinet.as(browser).call(S.signInSecond, { body: { code: app.code() } })).ok();
  assert.notEqual(browser.cookie, half);
  (await cabinet.as(browser).call(S.session)).ok();
  (await cabinet.as({ cookie: half }).call(S.session)).refused('not_signed_in');
});

test('the second step is open for ten minutes', async () => {
  const person = await cabinet.person();
  const { app } = await turnOn(person);
  const browser = await halfSignIn(person);
  await service.passTime(601);
  (await cabinet.as(browser).call(S.signInSecond, { body: { code: app.code() } })).refused(
    'not_signed_in',
  );
});

test('a code of the app is accepted once, however many come at once', async () => {
  const person = await cabinet.person();
  const { app } = await turnOn(person);
  const browsers = [];
  for (let i = 0; i < 4; i++) browsers.push(await halfSignIn(person));
  const body = { code: app.code() };
  const answers = await Promise.all(
    browsers.map((browser) => cabinet.as(browser).call(S.signInSecond, { body })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401]);
});

test('a recovery code is accepted once, however many come at once', async () => {
  const person = await cabinet.person();
  const { codes } = await turnOn(person);
  assert.equal(new Set(codes).size, 10);
  const browsers = [];
  for (let i = 0; i < 4; i++) browsers.push(await halfSignIn(person));
  const [first = '', second = ''] = codes;
  const body = { code: first, is_recovery_code: true };
  const answers = await Promise.all(
    browsers.map((browser) => cabinet.as(browser).call(S.signInSecond, { body })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401]);
  const browser = await halfSignIn(person);
  const spelled = { code: second.toUpperCase().replace('-', ' '), is_recovery_code: true };
  (await cabinet.as(browser).call(S.signInSecond, { body: spelled })).ok();
});

test('five guesses at it pass in a quarter of an hour, exactly, also all at once', async () => {
  const person = await cabinet.person();
  const { app } = await turnOn(person);
  const browser = await halfSignIn(person);
  const wrong = { code: '1111 1111' };
  const answers = await together(40, () =>
    cabinet.as({ ...browser }).call(S.signInSecond, { body: wrong }),
  );
  const passed = answers.filter(({ status }) => status === 401).length;
  assert.deepEqual([passed, answers.length - passed], [5, 35]);
  (await cabinet.as(browser).call(S.signInSecond, { body: { code: app.code() } })).refused(
    'sign_in_limited',
  );
  await service.passTime(15 * 60);
  const later = await halfSignIn(person);
  (await cabinet.as(later).call(S.signInSecond, { body: { code: app.code() } })).ok();
});

test('the right one starts the count anew', async () => {
  const person = await cabinet.person();
  const { codes } = await turnOn(person);
  for (const code of codes.slice(0, 2)) {
    const browser = await halfSignIn(person);
    for (let i = 0; i < 4; i++) {
      (await cabinet.as(browser).call(S.signInSecond, { body: { code: 'wrong' } })).refused(
        'wrong_credentials',
      );
    }
    const body = { code, is_recovery_code: true };
    (await cabinet.as(browser).call(S.signInSecond, { body })).ok();
  }
});

test('whoever has it shows who they are by the app, and not by a code to the phone', async () => {
  const person = await cabinet.person();
  const { app } = await turnOn(person);
  (await cabinet.as(person).call(S.sendIdentityCode)).ok();
  const byPhone = { code: codeAt(service, person.phone) };
  (await cabinet.as(person).call(S.confirmIdentity, { body: byPhone })).refused(
    'wrong_credentials',
  );
  (await cabinet.as(person).call(S.confirmIdentity, { body: { code: app.code() } })).ok();
  const wrong = await together(16, () =>
    cabinet.as({ ...person }).call(S.confirmIdentity, { body: { code: '1111 1111' } }),
  );
  assert.equal(wrong.filter(({ status }) => status === 401).length, 5);
});

describe('no way in goes round it:', () => {
  before(async () => {
    await openDemo(service.ctx);
  });

  test('a code to the phone', async () => {
    const person = await cabinet.person();
    await turnOn(person);
    const { phone } = person;
    const browser = { cookie: '' };
    (await cabinet.as(browser).call(S.sendPhoneCode, { body: { phone } })).ok();
    const body = { phone, code: codeAt(service, phone) };
    (await cabinet.as(browser).call(S.signInByPhone, { body })).refused('second_factor_required');
    (await cabinet.as(browser).call(S.session)).refused('not_signed_in');
  });

  test('e-mail and password, also after a reset', async () => {
    const person = await cabinet.person();
    const email = 'second@example.kz';
    (await cabinet.as(person).call(P.changeEmail, { body: { email } })).ok();
    const confirm = { token: tokenAt(service, email) };
    (await cabinet.as(person).call(S.confirmEmail, { body: confirm })).ok();
    const body = { email, password: 'верный конь 5' };
    (await cabinet.as(person).call(P.changePassword, { body })).ok();
    await turnOn(person);
    const browser = { cookie: '' };
    (await cabinet.as(browser).call(S.signInByEmail, { body })).refused('second_factor_required');
    (await cabinet.as(browser).call(S.session)).refused('not_signed_in');

    (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
    const reset = { token: tokenAt(service, email), password: 'another long one' };
    const answer = await cabinet.as(browser).call(S.resetPassword, { body: reset });
    answer.ok();
    assert.equal(answer.headers['set-cookie'], undefined);
    const again = { email, password: reset.password };
    (await cabinet.as(browser).call(S.signInByEmail, { body: again })).refused(
      'second_factor_required',
    );
    (await cabinet.as(browser).call(S.session)).refused('not_signed_in');
  });

  test('a letter that confirms an address', async () => {
    const person = await cabinet.person();
    await turnOn(person);
    const email = 'half@example.kz';
    (await cabinet.as(person).call(P.changeEmail, { body: { email } })).ok();
    const browser = await halfSignIn(person);
    const body = { token: tokenAt(service, email) };
    (await cabinet.as(browser).call(S.confirmEmail, { body })).refused('not_signed_in');
  });

  test('the demo', async () => {
    const owner = { cookie: '' };
    (await cabinet.as(owner).call(S.enterDemo)).ok();
    const { company } = (await cabinet.as(owner).call(S.session)).ok();
    assert.equal(company?.is_demo, true);
    await turnOn(owner);
    const browser = { cookie: '' };
    (await cabinet.as(browser).call(S.enterDemo)).refused('second_factor_required');
    (await cabinet.as(browser).call(S.session)).refused('not_signed_in');
  });
});
