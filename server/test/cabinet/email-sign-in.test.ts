import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  PROFILE_ENDPOINTS as P,
  SESSION_ENDPOINTS as S,
} from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { lettersTo, tokenAt } from './inbox.ts';
import { signedIn } from './signed-in.ts';

const service = useService();
const cabinet = signedIn(service);

let emails = 0;
const freshEmail = () => {
  emails += 1;
  return `person${emails}@example.kz`;
};
const PASSWORD = 'верный конь 5';

async function signUp(email: string, password = PASSWORD) {
  const body = { name: 'Айгерим', email, password };
  (await cabinet.call(S.signUpByEmail, { body })).ok();
}

async function signUpAndConfirm(email: string) {
  await signUp(email);
  const browser = { cookie: '' };
  const body = { token: tokenAt(service, email) };
  (await cabinet.as(browser).call(S.confirmEmail, { body })).ok();
  return browser;
}

const signIn = (browser: { cookie: string }, email: string, password = PASSWORD) =>
  cabinet.as(browser).call(S.signInByEmail, { body: { email, password } });

test('the account begins with the link of the letter, which signs in once', async () => {
  const email = freshEmail();
  await signUp(email.toUpperCase());
  (await signIn({ cookie: '' }, email)).refused('wrong_credentials');
  const browser = { cookie: '' };
  const body = { token: tokenAt(service, email) };
  (await cabinet.as(browser).call(S.confirmEmail, { body })).ok();
  const { person } = (await cabinet.as(browser).call(S.session)).ok();
  assert.equal(person.email, email);
  assert.equal(person.has_password, true);
  (await cabinet.call(S.confirmEmail, { body })).refused('link_ended');
  const other = { cookie: '' };
  (await signIn(other, email.toUpperCase())).ok();
  (await cabinet.as(other).call(S.session)).ok();
});

test('whoever confirms gets the account with the password of their own letter', async () => {
  const email = freshEmail();
  await signUp(email, 'of the owner of the mailbox');
  const token = tokenAt(service, email);
  await signUp(email, 'of somebody who came later');
  (await cabinet.call(S.confirmEmail, { body: { token } })).ok();
  (await signIn({ cookie: '' }, email, 'of somebody who came later')).refused('wrong_credentials');
  (await signIn({ cookie: '' }, email, 'of the owner of the mailbox')).ok();
  const late = { token: tokenAt(service, email) };
  (await cabinet.call(S.confirmEmail, { body: late })).refused('link_ended');
});

test('a letter is over after a day', async () => {
  const email = freshEmail();
  await signUp(email);
  await service.passTime(24 * 3600 + 1);
  const body = { token: tokenAt(service, email) };
  (await cabinet.call(S.confirmEmail, { body })).refused('link_ended');
});

test('a letter is in the language of the browser', async () => {
  const subjects = { ru: /^Подтвердите/, kk: /^Мекенжайды/, en: /^Confirm/ };
  for (const [language, subject] of Object.entries(subjects)) {
    const email = freshEmail();
    const body = { name: 'А', email, password: PASSWORD };
    const headers = { 'accept-language': language };
    (await cabinet.call(S.signUpByEmail, { body, headers })).ok();
    assert.match(lettersTo(service, email)[0]?.text ?? '', subject);
  }
});

test('a password that everybody tries first is refused, and a short one', async () => {
  for (const password of ['qwerty123', 'Password1', 'йцукенгш', '1234567']) {
    const body = { name: 'А', email: freshEmail(), password };
    const refusal = (await cabinet.call(S.signUpByEmail, { body })).refused('validation_error');
    assert.deepEqual(Object.keys(refusal.errors as object), ['password']);
  }
});

describe('nobody can tell whether an address has an account', () => {
  /** Everything of an answer but what is different each time. */
  const shape = ({ status, headers }: { status: number; headers: object }, body: object) => {
    const { date, 'x-request-id': _id, ...rest } = headers as Record<string, unknown>;
    return { status, headers: rest, body: { ...body, request_id: undefined } };
  };

  test('by signing up', async () => {
    const known = freshEmail();
    await signUpAndConfirm(known);
    const answers = [];
    for (const email of [known, freshEmail()]) {
      const body = { name: 'А', email, password: PASSWORD };
      const answer = await cabinet.call(S.signUpByEmail, { body });
      answers.push(shape(answer, answer.ok()));
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.match(lettersTo(service, known).at(-1)?.text ?? '', /уже есть/);
  });

  test('by a forgotten password', async () => {
    const known = freshEmail();
    await signUpAndConfirm(known);
    const unknown = freshEmail();
    const answers = [];
    for (const email of [known, unknown]) {
      const answer = await cabinet.call(S.forgotPassword, { body: { email } });
      answers.push(shape(answer, answer.ok()));
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.equal(lettersTo(service, unknown).length, 0);
  });

  test('by signing in, which also takes as much work', async () => {
    const known = freshEmail();
    await signUpAndConfirm(known);
    const answers = [];
    for (const email of [known, freshEmail()]) {
      const before = service.hashCount();
      const answer = await signIn({ cookie: '' }, email, 'not the password');
      // A hash is half a second; everything else takes next to no time.
      assert.equal(service.hashCount() - before, 1, email);
      answers.push(shape(answer, answer.refused('wrong_credentials')));
    }
    assert.deepEqual(answers[0], answers[1]);
  });
});

test('a forgotten password is chosen anew by a letter, once, and ends every session', async () => {
  const email = freshEmail();
  const browser = await signUpAndConfirm(email);
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  const token = tokenAt(service, email);
  const password = 'another long one';
  (await cabinet.call(S.resetPassword, { body: { token, password: 'qwerty123' } })).refused(
    'validation_error',
  );
  const reset = await cabinet.call(S.resetPassword, { body: { token, password } });
  reset.ok();
  assert.equal(reset.headers['set-cookie'], undefined);
  (await cabinet.as(browser).call(S.session)).refused('not_signed_in');
  (await signIn({ cookie: '' }, email)).refused('wrong_credentials');
  (await signIn({ cookie: '' }, email, password)).ok();
  (await cabinet.call(S.resetPassword, { body: { token, password } })).refused('link_ended');
});

test('a letter for a new password is over after an hour', async () => {
  const email = freshEmail();
  await signUpAndConfirm(email);
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  await service.passTime(3601);
  const body = { token: tokenAt(service, email), password: 'another long one' };
  (await cabinet.call(S.resetPassword, { body })).refused('link_ended');
});

test('a link of one kind does nothing of another', async () => {
  const email = freshEmail();
  await signUp(email);
  const token = tokenAt(service, email);
  (await cabinet.call(S.resetPassword, { body: { token, password: PASSWORD } })).refused(
    'link_ended',
  );
  (await cabinet.call(S.confirmEmail, { body: { token } })).ok();
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  const reset = { token: tokenAt(service, email) };
  (await cabinet.call(S.confirmEmail, { body: reset })).refused('link_ended');
});

test('a new address counts once it was confirmed by who asked for it', async () => {
  const person = await cabinet.person();
  const email = freshEmail();
  (await cabinet.as(person).call(P.changeEmail, { body: { email } })).ok();
  const body = { token: tokenAt(service, email) };
  (await cabinet.call(S.confirmEmail, { body })).refused('not_signed_in');
  const stranger = await cabinet.person();
  (await cabinet.as(stranger).call(S.confirmEmail, { body })).refused('link_ended');
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.email, null);
  (await cabinet.as(person).call(S.confirmEmail, { body })).ok();
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.email, email);
});

test('five letters an hour go to an address', async () => {
  const email = freshEmail();
  for (let i = 0; i < 5; i++) (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  (await cabinet.call(S.forgotPassword, { body: { email } })).refused('sign_in_limited');
  await service.passTime(3601);
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
});
