import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { lettersTo, readEmailToken, readToken } from './inbox.ts';

const service = useService();
const cabinet = createCabinetClient(service);

let emails = 0;
const freshEmail = () => {
  emails += 1;
  return `person${emails}@example.kz`;
};
const PASSWORD = 'верный конь 5';

async function signUp(email: string) {
  const body = { name: 'Айгерим', email };
  (await cabinet.call(S.signUpByEmail, { body })).ok();
}

async function signUpAndConfirm(email: string) {
  await signUp(email);
  const browser = { cookie: '' };
  const body = { token: readEmailToken(service, email), password: PASSWORD };
  (await cabinet.as(browser).call(S.finishSignUp, { body })).ok();
  return browser;
}

const signIn = (browser: { cookie: string }, email: string, password = PASSWORD) =>
  cabinet.as(browser).call(S.signInByEmail, { body: { email, password } });

test('the link in the confirmation email creates the account and signs in once', async () => {
  const email = freshEmail();
  await signUp(email.toUpperCase());
  (await signIn({ cookie: '' }, email)).refused('wrong_credentials');
  const browser = { cookie: '' };
  const body = { token: readEmailToken(service, email), password: PASSWORD };
  (await cabinet.as(browser).call(S.finishSignUp, { body })).ok();
  const { person } = (await cabinet.as(browser).call(S.session)).ok();
  assert.equal(person.email, email);
  assert.equal(person.has_password, true);
  (await cabinet.call(S.finishSignUp, { body })).refused('link_ended');
  const other = { cookie: '' };
  (await signIn(other, email.toUpperCase())).ok();
  (await cabinet.as(other).call(S.session)).ok();
});

test('whoever opens the link chooses the password, whoever asked for the letter', async () => {
  const email = freshEmail();
  // A stranger signs up with the address of somebody else, before and after its owner.
  await signUp(email);
  await signUp(email);
  const [first, second] = lettersTo(service, email).map(({ link }) => readToken(link ?? ''));
  const owner = { token: second ?? '', password: 'of the owner of the mailbox' };
  (await cabinet.call(S.finishSignUp, { body: owner })).ok();
  (await signIn({ cookie: '' }, email, owner.password)).ok();
  const late = { token: first ?? '', password: 'of somebody who came later' };
  (await cabinet.call(S.finishSignUp, { body: late })).refused('link_ended');
  (await signIn({ cookie: '' }, email, late.password)).refused('wrong_credentials');
});

test('a sign-up names no password: one that is sent is ignored', async () => {
  const email = freshEmail();
  const body = { name: 'Айгерим', email, password: 'of the stranger who asked' };
  (await cabinet.call(S.signUpByEmail, { body })).ok();
  const chosen = { token: readEmailToken(service, email), password: PASSWORD };
  (await cabinet.call(S.finishSignUp, { body: chosen })).ok();
  (await signIn({ cookie: '' }, email, body.password)).refused('wrong_credentials');
  (await signIn({ cookie: '' }, email)).ok();
});

test('a confirmation link expires after a day', async () => {
  const email = freshEmail();
  await signUp(email);
  await service.passTime(24 * 3600 + 1);
  const body = { token: readEmailToken(service, email), password: PASSWORD };
  (await cabinet.call(S.finishSignUp, { body })).refused('link_ended');
});

test('an email is in the language of the browser', async () => {
  const subjects = { ru: /^Подтвердите/, kk: /^Пошта мекенжайын/, en: /^Confirm/ };
  for (const [language, subject] of Object.entries(subjects)) {
    const email = freshEmail();
    const body = { name: 'А', email };
    const headers = { 'accept-language': language };
    (await cabinet.call(S.signUpByEmail, { body, headers })).ok();
    assert.match(lettersTo(service, email)[0]?.text ?? '', subject);
  }
});

test('common and short passwords are refused', async () => {
  const refusals = {
    qwerty123: 'weak_password',
    Password1: 'weak_password',
    йцукенгш: 'weak_password',
    '1234567': 'validation_error',
  } as const;
  for (const [password, code] of Object.entries(refusals)) {
    const email = freshEmail();
    await signUp(email);
    const body = { token: readEmailToken(service, email), password };
    (await cabinet.call(S.finishSignUp, { body })).refused(code);
  }
});

describe('an answer does not reveal whether an address has an account', () => {
  /** The answer without the parts that differ on every request. */
  const comparable = ({ status, headers }: { status: number; headers: object }, body: object) => {
    const { date, 'x-request-id': _id, ...rest } = headers as Record<string, unknown>;
    return { status, headers: rest, body: { ...body, request_id: undefined } };
  };

  test('to a sign-up', async () => {
    const known = freshEmail();
    await signUpAndConfirm(known);
    const answers = [];
    for (const email of [known, freshEmail()]) {
      const body = { name: 'А', email };
      const answer = await cabinet.call(S.signUpByEmail, { body });
      answers.push(comparable(answer, answer.ok()));
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.match(lettersTo(service, known).at(-1)?.text ?? '', /уже есть/);
  });

  test('to a password reset', async () => {
    const known = freshEmail();
    await signUpAndConfirm(known);
    const unknown = freshEmail();
    const answers = [];
    for (const email of [known, unknown]) {
      const answer = await cabinet.call(S.forgotPassword, { body: { email } });
      answers.push(comparable(answer, answer.ok()));
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.equal(lettersTo(service, unknown).length, 0);
  });

  test('to a sign-in, which also hashes once in both cases', async () => {
    const known = freshEmail();
    await signUpAndConfirm(known);
    const answers = [];
    for (const email of [known, freshEmail()]) {
      const before = service.hashCount();
      const answer = await signIn({ cookie: '' }, email, 'not the password');
      // Only the hash takes measurable time: half a second in production.
      assert.equal(service.hashCount() - before, 1, email);
      answers.push(comparable(answer, answer.refused('wrong_credentials')));
    }
    assert.deepEqual(answers[0], answers[1]);
  });
});

test('a password reset link works once and ends every session', async () => {
  const email = freshEmail();
  const browser = await signUpAndConfirm(email);
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  const token = readEmailToken(service, email);
  const password = 'another long one';
  (await cabinet.call(S.resetPassword, { body: { token, password: 'qwerty123' } })).refused(
    'weak_password',
  );
  const reset = await cabinet.call(S.resetPassword, { body: { token, password } });
  reset.ok();
  assert.equal(reset.headers['set-cookie'], undefined);
  (await cabinet.as(browser).call(S.session)).refused('not_signed_in');
  (await signIn({ cookie: '' }, email)).refused('wrong_credentials');
  (await signIn({ cookie: '' }, email, password)).ok();
  (await cabinet.call(S.resetPassword, { body: { token, password } })).refused('link_ended');
});

test('a password reset link expires after an hour', async () => {
  const email = freshEmail();
  await signUpAndConfirm(email);
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  await service.passTime(3601);
  const body = { token: readEmailToken(service, email), password: 'another long one' };
  (await cabinet.call(S.resetPassword, { body })).refused('link_ended');
});

test('a password reset ends the other reset links of the person', async () => {
  const email = freshEmail();
  await signUpAndConfirm(email);
  for (let i = 0; i < 2; i++) (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  const [first = '', second = ''] = lettersTo(service, email)
    .slice(-2)
    .map(({ link }) => readToken(link ?? ''));
  const password = 'another long one';
  (await cabinet.call(S.resetPassword, { body: { token: second, password } })).ok();
  const late = { token: first, password: 'of whoever reads old letters' };
  (await cabinet.call(S.resetPassword, { body: late })).refused('link_ended');
  (await signIn({ cookie: '' }, email, password)).ok();
});

test('a reset link in the old mailbox ends when the address changes', async () => {
  const [old, email] = [freshEmail(), freshEmail()];
  const browser = await signUpAndConfirm(old);
  (await cabinet.call(S.forgotPassword, { body: { email: old } })).ok();
  const reset = { token: readEmailToken(service, old), password: 'another long one' };
  await cabinet.proveIdentities();
  (await cabinet.as(browser).call(P.changeEmail, { body: { email } })).ok();
  const body = { token: readEmailToken(service, email) };
  (await cabinet.as(browser).call(P.confirmNewEmail, { body })).ok();
  (await cabinet.call(S.resetPassword, { body: reset })).refused('link_ended');
  (await signIn({ cookie: '' }, email)).ok();
});

test('a confirmation link cannot reset a password, nor a reset link confirm an address', async () => {
  const email = freshEmail();
  await signUp(email);
  const token = readEmailToken(service, email);
  (await cabinet.call(S.resetPassword, { body: { token, password: PASSWORD } })).refused(
    'link_ended',
  );
  (await cabinet.call(S.finishSignUp, { body: { token, password: PASSWORD } })).ok();
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  const reset = { token: readEmailToken(service, email), password: PASSWORD };
  (await cabinet.call(S.finishSignUp, { body: reset })).refused('link_ended');
});

test('a new address takes effect when the person who entered it confirms it', async () => {
  const person = await cabinet.person();
  await cabinet.proveIdentities();
  const email = freshEmail();
  (await cabinet.as(person).call(P.changeEmail, { body: { email } })).ok();
  const body = { token: readEmailToken(service, email) };
  (await cabinet.call(P.confirmNewEmail, { body })).refused('not_signed_in');
  const stranger = await cabinet.person();
  (await cabinet.as(stranger).call(P.confirmNewEmail, { body })).refused('link_ended');
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.email, null);
  (await cabinet.as(person).call(P.confirmNewEmail, { body })).ok();
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.email, email);
});

test('an address gets at most five emails an hour', async () => {
  const email = freshEmail();
  for (let i = 0; i < 5; i++) (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  (await cabinet.call(S.forgotPassword, { body: { email } })).refused('sign_in_limited');
  await service.passTime(3601);
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
});
