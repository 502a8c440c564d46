/** A cookie alone changes nothing about how a person signs in. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { until, useService } from '../harness.ts';
import { createAuthenticator } from './authenticator.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { lettersTo, readEmailToken, readNewestCode } from './inbox.ts';

const service = useService();
const { person, as, call, proveIdentities } = createCabinetClient(service);

async function confirmByPhone(who: TestPerson): Promise<void> {
  (await as(who).call(S.sendIdentityCode)).ok();
  const body = { code: readNewestCode(service, who.phone) };
  (await as(who).call(S.confirmIdentity, { body })).ok();
}

/** Signs in by phone with the app connected; the session has proved nothing since. */
async function createPersonWithApp() {
  const who = await person();
  await confirmByPhone(who);
  const { uri } = (await as(who).call(P.startSecondFactor)).ok();
  const app = createAuthenticator(uri);
  const body = { code: app.code() };
  const { recovery_codes: codes } = (await as(who).call(P.confirmSecondFactor, { body })).ok();
  await forgetProofs(who);
  return { who, app, codes };
}

const forgetProofs = ({ personId }: TestPerson) =>
  service.sql('update session set proven_at = null where person_id = $1', [personId]);

/** The messages other than codes that arrived at a phone. */
const noticesTo = (phone: string) =>
  service.sandbox.phone
    .recent(500)
    .filter((message) => message.phone === phone && message.code == null);

describe('right after signing in', () => {
  const proven = Object.entries(CABINET_ENDPOINTS as Record<string, CabinetEndpoint>).filter(
    ([, endpoint]) => endpoint.needsProof,
  );
  test('these endpoints need a proof', () => {
    assert.deepEqual(proven.map(([name]) => name).toSorted(), [
      'addPasskey',
      'changeEmail',
      'changePhone',
      'confirmSecondFactor',
      'endSecondFactor',
      'removePasskey',
      'sendNewPhoneCode',
      'startPasskey',
      'startSecondFactor',
    ]);
  });
  for (const [name, endpoint] of proven) {
    test(`${name} wants a proof that it is them`, async () => {
      const who = await person({ role: 'owner' });
      (await as(who).call(endpoint, { params: { id: 'x' } })).refused('stale_sign_in');
    });
  }
  test('a first password cannot be set', async () => {
    const who = await person();
    const body = { password: 'верный конь 5' };
    (await as(who).call(P.changePassword, { body })).refused('stale_sign_in');
    await confirmByPhone(who);
    (await as(who).call(P.changePassword, { body })).ok();
  });
});

test('a proof holds for five minutes', async () => {
  const who = await person();
  await confirmByPhone(who);
  await service.passTime(4 * 60);
  (await as(who).call(P.startSecondFactor)).ok();
  await service.passTime(61);
  (await as(who).call(P.startSecondFactor)).refused('stale_sign_in');
});

test('a proof counts in the session that gave it, and in no other', async () => {
  const here = await person();
  const elsewhere = await person({ phone: here.phone });
  await confirmByPhone(here);
  (await as(elsewhere).call(P.startSecondFactor)).refused('stale_sign_in');
  (await as(here).call(P.startSecondFactor)).ok();
});

describe('the second factor is turned off', () => {
  const isOn = async (who: TestPerson) =>
    (await as(who).call(S.session)).ok().person.has_second_factor;

  test('not with a fresh cookie, nor with a code to the phone or a password', async () => {
    const { who } = await createPersonWithApp();
    (await as(who).call(P.endSecondFactor)).refused('stale_sign_in');
    await service.passTime(61);
    (await as(who).call(S.sendIdentityCode)).ok();
    const byPhone = { code: readNewestCode(service, who.phone) };
    (await as(who).call(S.confirmIdentity, { body: byPhone })).refused('wrong_code');
    (await as(who).call(S.confirmIdentity, { body: { password: 'x' } })).refused(
      'validation_error',
    );
    (await as(who).call(P.endSecondFactor)).refused('stale_sign_in');
    assert.equal(await isOn(who), true);
  });

  test('with a code from the app', async () => {
    const { who, app } = await createPersonWithApp();
    (await as(who).call(S.confirmIdentity, { body: { code: app.nextCode() } })).ok();
    (await as(who).call(P.endSecondFactor)).ok();
    assert.equal(await isOn(who), false);
  });

  test('with a recovery code, which is used up', async () => {
    const { who, codes } = await createPersonWithApp();
    const body = { code: codes[0] as string, is_recovery_code: true };
    (await as(who).call(S.confirmIdentity, { body })).ok();
    (await as(who).call(S.confirmIdentity, { body })).refused('wrong_code');
    (await as(who).call(P.endSecondFactor)).ok();
    assert.equal(await isOn(who), false);
    const left = await service.sql('select from recovery_code where person_id = $1', [
      who.personId,
    ]);
    assert.deepEqual(left, [], 'recovery codes end with the second factor');
  });

  test('and the phone and the mailbox of its owner are told', async () => {
    const { who, app } = await createPersonWithApp();
    const email = 'told-of-factor@example.kz';
    await service.sql('update person set email = $2 where id = $1', [who.personId, email]);
    (await as(who).call(S.confirmIdentity, { body: { code: app.nextCode() } })).ok();
    (await as(who).call(P.endSecondFactor)).ok();
    await until('the message', async () => noticesTo(who.phone).length === 1);
    assert.match(noticesTo(who.phone)[0]?.text ?? '', /данные для входа изменены/);
    assert.match(lettersTo(service, email).at(-1)?.text ?? '', /изменён .* второй фактор/s);
  });
});

describe('a new phone', () => {
  const changePhone = async (who: TestPerson, phone: string) => {
    (await as(who).call(P.sendNewPhoneCode, { body: { phone } })).ok();
    const body = { phone, code: readNewestCode(service, phone) };
    return await as(who).call(P.changePhone, { body });
  };

  test('needs the second factor of its owner, not the code to the new phone alone', async () => {
    const { who, app } = await createPersonWithApp();
    const phone = service.phone();
    (await as(who).call(P.sendNewPhoneCode, { body: { phone } })).refused('stale_sign_in');
    (await as(who).call(P.changePhone, { body: { phone, code: '123456' } })).refused(
      'stale_sign_in',
    );
    (await as(who).call(S.confirmIdentity, { body: { code: app.nextCode() } })).ok();
    (await changePhone(who, phone)).ok();
    assert.equal((await as(who).call(S.session)).ok().person.phone, phone);
  });

  test('is told to the old phone and the mailbox, not to the new phone', async () => {
    const who = await person();
    const email = 'told-of-phone@example.kz';
    await service.sql('update person set email = $2 where id = $1', [who.personId, email]);
    await confirmByPhone(who);
    const phone = service.phone();
    (await changePhone(who, phone)).ok();
    await until('the message', async () => noticesTo(who.phone).length === 1);
    assert.match(noticesTo(who.phone)[0]?.text ?? '', /данные для входа изменены/);
    assert.match(lettersTo(service, email).at(-1)?.text ?? '', /изменён телефон/);
    assert.deepEqual(noticesTo(phone), []);
  });

  test('that another account has stays with it, and nobody is told', async () => {
    const [who, other] = [await person(), await person()];
    await confirmByPhone(who);
    (await changePhone(who, other.phone)).refused('contact_taken');
    assert.deepEqual(noticesTo(who.phone), []);
    assert.equal((await as(other).call(S.session)).ok().person.phone, other.phone);
  });
});

describe('a new e-mail address', () => {
  test('needs the second factor of its owner', async () => {
    const { who, app } = await createPersonWithApp();
    const body = { email: 'next@example.kz' };
    (await as(who).call(P.changeEmail, { body })).refused('stale_sign_in');
    assert.deepEqual(lettersTo(service, body.email), []);
    (await as(who).call(S.confirmIdentity, { body: { code: app.nextCode() } })).ok();
    (await as(who).call(P.changeEmail, { body })).ok();
    assert.equal(lettersTo(service, body.email).length, 1);
  });

  test('is told to the old address and the phone', async () => {
    const who = await person();
    const [old, email] = ['old-address@example.kz', 'new-address@example.kz'];
    await service.sql('update person set email = $2 where id = $1', [who.personId, old]);
    await confirmByPhone(who);
    (await as(who).call(P.changeEmail, { body: { email } })).ok();
    assert.deepEqual(lettersTo(service, old), [], 'nothing has changed yet');
    const body = { token: readEmailToken(service, email) };
    (await as(who).call(P.confirmNewEmail, { body })).ok();
    await until('the message', async () => noticesTo(who.phone).length === 1);
    assert.equal(lettersTo(service, old).length, 1);
    assert.match(lettersTo(service, old)[0]?.text ?? '', /изменён телефон, почта/);
    assert.equal(lettersTo(service, email).length, 1, 'the new address got its own letter alone');
  });

  test('is confirmed by the person who asked for it, and by nobody else with the link', async () => {
    const [who, other] = [await person(), await person()];
    await proveIdentities();
    const email = 'asked-for@example.kz';
    (await as(who).call(P.changeEmail, { body: { email } })).ok();
    const body = { token: readEmailToken(service, email) };
    (await call(P.confirmNewEmail, { body })).refused('not_signed_in');
    (await as(other).call(P.confirmNewEmail, { body })).refused('link_ended');
    (await as(who).call(P.confirmNewEmail, { body })).ok();
    assert.equal((await as(who).call(S.session)).ok().person.email, email);
  });
});
