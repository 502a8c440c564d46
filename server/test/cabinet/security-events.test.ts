/** What a person can read about their own sign-in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { blockPerson } from '../../src/accounts/block-person.ts';
import { useService } from '../harness.ts';
import { createAuthenticator } from './authenticator.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { readEmailToken, readNewestCode } from './inbox.ts';

const service = useService();
const { person, as, proveIdentities, requestPhoneCode } = createCabinetClient(service);

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36';

async function eventsOf(who: TestPerson) {
  return (await as(who).call(P.securityEvents)).ok().events;
}

const kindsOf = async (who: TestPerson) => (await eventsOf(who)).map(({ kind }) => kind);

test('a sign-in is listed with its time, network and device', async () => {
  const who = await person();
  const browser = { ...who, cookie: '' };
  const body = await requestPhoneCode(who.phone);
  const before = Date.now();
  (await as(browser).call(S.signInByPhone, { body, headers: { 'user-agent': CHROME } })).ok();
  const [newest] = await eventsOf(browser);
  assert.deepEqual(
    { ...newest, at: undefined },
    {
      at: undefined,
      kind: 'signed_in',
      detail: null,
      device: 'Chrome, Linux',
      address: '127.0.0.1',
    },
  );
  assert(Date.parse(newest?.at ?? '') >= before - 1_000);
});

test('every change of how a person signs in is listed, the newest first', async () => {
  const who = await person();
  await proveIdentities();
  const phone = service.phone();
  (await as(who).call(P.sendNewPhoneCode, { body: { phone } })).ok();
  const newPhone = { phone, code: readNewestCode(service, phone) };
  (await as(who).call(P.changePhone, { body: newPhone })).ok();
  const email = 'listed@example.kz';
  (await as(who).call(P.changeEmail, { body: { email } })).ok();
  const link = { token: readEmailToken(service, email) };
  (await as(who).call(P.confirmNewEmail, { body: link })).ok();
  (await as(who).call(P.changePassword, { body: { password: 'верный конь 5' } })).ok();
  const { uri } = (await as(who).call(P.startSecondFactor)).ok();
  const app = createAuthenticator(uri);
  const first = { code: app.code() };
  const { recovery_codes } = (await as(who).call(P.confirmSecondFactor, { body: first })).ok();
  const recovery = { code: recovery_codes[0] as string, is_recovery_code: true };
  (await as(who).call(S.confirmIdentity, { body: recovery })).ok();
  (await as(who).call(P.endSecondFactor)).ok();
  (await as(who).call(P.endOtherSessions)).ok();

  assert.deepEqual(await kindsOf(who), [
    'sessions_ended',
    'second_factor_off',
    'recovery_code_used',
    'second_factor_on',
    'password_changed',
    'email_changed',
    'phone_changed',
    'signed_in',
  ]);
  const details = Object.fromEntries(
    (await eventsOf(who)).map(({ kind, detail }) => [kind, detail]),
  );
  assert.equal(details.email_changed, 'l***@example.kz');
  const { phone_changed: masked } = details;
  assert.match(masked ?? '', /\*/);
  assert(!masked?.includes(phone.slice(-7)), 'the phone is masked');
});

test('the first step of a sign-in alone is not listed as one', async () => {
  const who = await person();
  await proveIdentities();
  const { uri } = (await as(who).call(P.startSecondFactor)).ok();
  const app = createAuthenticator(uri);
  (await as(who).call(P.confirmSecondFactor, { body: { code: app.code() } })).ok();
  const before = await kindsOf(who);
  const browser = { ...who, cookie: '' };
  const body = await requestPhoneCode(who.phone);
  (await as(browser).call(S.signInByPhone, { body })).refused('second_factor_required');
  assert.deepEqual(await kindsOf(who), before);
  (await as(browser).call(S.signInSecond, { body: { code: app.nextCode() } })).ok();
  assert.deepEqual(await kindsOf(who), ['signed_in', ...before]);
});

test('nobody sees the events of another person', async () => {
  const [one, other] = [await person(), await person()];
  await proveIdentities();
  (await as(one).call(P.changePassword, { body: { password: 'верный конь 5' } })).ok();
  assert.deepEqual(await kindsOf(one), ['password_changed', 'signed_in']);
  assert.deepEqual(await kindsOf(other), ['signed_in']);
});

test('a person who was blocked for a while reads it afterwards', async () => {
  const who = await person();
  const blocked = { personId: who.personId, name: 'Имя' };
  await blockPerson(service.ctx, { person: blocked, reason: 'жалобы' });
  (await as(who).call(P.securityEvents)).refused('not_signed_in');
  await blockPerson(service.ctx, { person: blocked, reason: undefined });
  const again = await person({ phone: who.phone });
  assert.deepEqual(await kindsOf(again), ['signed_in', 'unblocked', 'blocked', 'signed_in']);
});
