import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { readNewestCode } from './inbox.ts';

const service = useService();
const cabinet = createCabinetClient(service);
const MINUTE = 60;

const isSignedIn = async (person: { cookie: string }) =>
  (await cabinet.as(person).call(S.session)).status === 200;

test('a session ends after 30 minutes of inactivity', async () => {
  const person = await cabinet.person();
  await service.passTime(29 * MINUTE);
  assert.equal(await isSignedIn(person), true);
  await service.passTime(29 * MINUTE);
  assert.equal(await isSignedIn(person), true);
  await service.passTime(31 * MINUTE);
  assert.equal(await isSignedIn(person), false);
});

test('a session ends after twelve hours even when it is used', async () => {
  const person = await cabinet.person();
  for (let passed = 0; passed < 11.5 * 60; passed += 29) {
    await service.passTime(29 * MINUTE);
    assert.equal(await isSignedIn(person), true, `${passed} minutes`);
  }
  await service.passTime(29 * MINUTE);
  assert.equal(await isSignedIn(person), false);
});

test('a cookie with a forged, malformed or empty token is not accepted', async () => {
  const person = await cabinet.person();
  const [name = '', token = ''] = person.cookie.split('=');
  const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const shapes = [token.slice(1), `${token}A`, token.toLowerCase(), `${token}.`, '%E0%A4', ''];
  const forged = [changed, ...shapes, "' or true --"];
  for (const value of forged) {
    assert.equal(await isSignedIn({ cookie: `${name}=${value}` }), false, value);
    assert.equal(
      await isSignedIn({ cookie: `${name}=${encodeURIComponent(value)}` }),
      false,
      value,
    );
  }
  assert.equal(await isSignedIn({ cookie: `a=b; ${person.cookie}; c=d` }), true);
});

test('the token hash in the database is not accepted as a token', async () => {
  const person = await cabinet.person();
  const [row] = await service.sql<{ hash: Buffer }>(
    'select token_hash as hash from session where person_id = $1',
    [person.personId],
  );
  for (const encoding of ['base64url', 'base64', 'hex'] as const) {
    const cookie = `zhiber=${row?.hash.toString(encoding)}`;
    assert.equal(await isSignedIn({ cookie }), false, encoding);
  }
});

test('signing out ends the session and deletes the cookie', async () => {
  const person = await cabinet.person();
  const { cookie } = person;
  (await cabinet.as(person).call(S.signOut)).ok();
  assert.equal(person.cookie, '');
  assert.equal(await isSignedIn({ cookie }), false);
});

test('signing in again ends the previous session of the browser', async () => {
  const person = await cabinet.person();
  const before = person.cookie;
  const { phone } = person;
  const body = await cabinet.requestPhoneCode(phone, person);
  (await cabinet.as(person).call(S.signInByPhone, { body })).ok();
  assert.notEqual(person.cookie, before);
  assert.equal(await isSignedIn({ cookie: before }), false);
});

describe('the list of sessions', () => {
  const list = async (person: { cookie: string }) =>
    (await cabinet.as(person).call(P.sessions)).ok().sessions;

  test('shows all sessions of a person and can end another one', async () => {
    const here = await cabinet.person();
    const elsewhere = await cabinet.person({ phone: here.phone });
    const sessions = await list(here);
    assert.equal(sessions.length, 2);
    assert.deepEqual(sessions.map((session) => session.is_this).toSorted(), [false, true]);
    assert.deepEqual(sessions[0]?.address, '127.0.0.1');
    const id = sessions.find((session) => !session.is_this)?.id ?? '';
    (await cabinet.as(here).call(P.endSession, { params: { id } })).ok();
    assert.equal(await isSignedIn(elsewhere), false);
    assert.equal(await isSignedIn(here), true);
    (await cabinet.as(here).call(P.endSession, { params: { id } })).refused('not_found');
  });

  test('can end all other sessions', async () => {
    const here = await cabinet.person();
    const others = [];
    for (let i = 0; i < 3; i++) others.push(await cabinet.person({ phone: here.phone }));
    (await cabinet.as(here).call(P.endOtherSessions)).ok();
    assert.equal((await list(here)).length, 1);
    for (const other of others) assert.equal(await isSignedIn(other), false);
  });

  test('cannot end a session of another person', async () => {
    const mine = await cabinet.person();
    const theirs = await cabinet.person();
    const [session] = await list(theirs);
    const params = { id: session?.id ?? '' };
    (await cabinet.as(mine).call(P.endSession, { params })).refused('not_found');
    assert.equal(await isSignedIn(theirs), true);
  });
});

test('changing the password ends the other sessions and requires the current password', async () => {
  const here = await cabinet.person();
  const elsewhere = await cabinet.person({ phone: here.phone });
  await cabinet.proveIdentities();
  const change = (body: { current?: string; password: string }) =>
    cabinet.as(here).call(P.changePassword, { body });
  (await change({ password: 'first of this person' })).ok();
  assert.equal(await isSignedIn(elsewhere), false);
  (await change({ password: 'second of this person' })).refused('wrong_credentials');
  (await change({ current: 'no', password: 'second of this person' })).refused('wrong_credentials');
  const right = { current: 'first of this person', password: 'second of this person' };
  (await change(right)).ok();
  assert.equal(await isSignedIn(here), true);
});

describe('a stale sign-in must be confirmed', () => {
  const callSensitive = (person: TestPerson) => cabinet.as(person).call(P.startSecondFactor);
  const createStalePerson = async () => {
    const person = await cabinet.person();
    for (const minutes of [20, 11]) {
      await service.passTime(minutes * MINUTE);
      assert.equal(await isSignedIn(person), true);
    }
    (await callSensitive(person)).refused('stale_sign_in');
    return person;
  };

  test('by a code to the phone of the account', async () => {
    const person = await createStalePerson();
    (await cabinet.as(person).call(S.confirmIdentity, { body: {} })).refused('validation_error');
    (await cabinet.as(person).call(S.sendIdentityCode)).ok();
    const code = readNewestCode(service, person.phone);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    (await cabinet.as(person).call(S.confirmIdentity, { body: { code: wrong } })).refused(
      'invalid_code',
    );
    (await callSensitive(person)).refused('stale_sign_in');
    (await cabinet.as(person).call(S.confirmIdentity, { body: { code } })).ok();
    (await callSensitive(person)).ok();
  });

  test('not by a code that was sent to sign in', async () => {
    const person = await createStalePerson();
    const { phone } = person;
    (await cabinet.call(S.sendPhoneCode, { body: { phone } })).ok();
    const body = { code: readNewestCode(service, phone) };
    (await cabinet.as(person).call(S.confirmIdentity, { body })).refused('code_not_found');
  });

  test('by the password', async () => {
    const person = await cabinet.person();
    const password = 'верный конь 5';
    await cabinet.proveIdentities();
    (await cabinet.as(person).call(P.changePassword, { body: { password } })).ok();
    await service.passTime(20 * MINUTE);
    await isSignedIn(person);
    await service.passTime(11 * MINUTE);
    (await callSensitive(person)).refused('stale_sign_in');
    (await cabinet.as(person).call(S.confirmIdentity, { body: { password: 'no' } })).refused(
      'wrong_credentials',
    );
    (await cabinet.as(person).call(S.confirmIdentity, { body: { password } })).ok();
    (await callSensitive(person)).ok();
  });
});

describe('the company of a session', () => {
  test('is the first of the person and can be switched to another of theirs', async () => {
    const person = await cabinet.person({ role: 'viewer' });
    const second = await service.company();
    const foreign = await service.company();
    await service.sql(`insert into member (company_id, person_id, role) values ($1, $2, 'owner')`, [
      second,
      person.personId,
    ]);
    const session = async () => (await cabinet.as(person).call(S.session)).ok();
    assert.equal((await session()).company?.id, person.companyId);
    assert.deepEqual(
      (await session()).companies.map(({ role }) => role),
      ['viewer', 'owner'],
    );
    (await cabinet.as(person).call(S.switchCompany, { body: { company_id: foreign } })).refused(
      'not_found',
    );
    (await cabinet.as(person).call(S.switchCompany, { body: { company_id: second } })).ok();
    assert.equal((await session()).company?.id, second);
    assert.equal((await session()).company?.balance, 50);
  });

  test('is none after the person was removed from it, even if they have another', async () => {
    const person = await cabinet.person({ role: 'owner' });
    const second = await service.company();
    await service.sql(`insert into member (company_id, person_id, role) values ($1, $2, 'owner')`, [
      second,
      person.personId,
    ]);
    await isSignedIn(person);
    await service.sql('delete from member where company_id = $1', [person.companyId]);
    assert.equal((await cabinet.as(person).call(S.session)).ok().company, null);
    const user = await service.accounts.findUser({ cookie: person.cookie });
    assert.equal(user?.membership, undefined);
  });

  test('has the current role of the person', async () => {
    const person = await cabinet.person({ role: 'owner' });
    const role = async () =>
      (await service.accounts.findUser({ cookie: person.cookie }))?.membership?.role;
    assert.equal(await role(), 'owner');
    await service.sql(`update member set role = 'viewer' where person_id = $1`, [person.personId]);
    assert.equal(await role(), 'viewer');
  });
});

test('a new phone must be verified by a code and must not belong to another person', async () => {
  const person = await cabinet.person();
  await cabinet.proveIdentities();
  const taken = (await cabinet.person()).phone;
  const fresh = service.phone();
  for (const [phone, expected] of [
    [taken, 'contact_taken'],
    [fresh, undefined],
  ] as const) {
    (await cabinet.as(person).call(P.sendNewPhoneCode, { body: { phone } })).ok();
    const body = { phone, code: readNewestCode(service, phone) };
    const answer = await cabinet.as(person).call(P.changePhone, { body });
    if (expected === undefined) answer.ok();
    else answer.refused(expected);
  }
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.phone, fresh);
});

test('name and language can be changed separately', async () => {
  const person = await cabinet.person();
  (await cabinet.as(person).call(P.changeProfile, { body: { name: ' Айгерим ' } })).ok();
  (await cabinet.as(person).call(P.changeProfile, { body: { language: 'kk' } })).ok();
  const { name, language } = (await cabinet.as(person).call(S.session)).ok().person;
  assert.deepEqual([name, language], ['Айгерим', 'kk']);
});

describe('the cookie', () => {
  const secure = useService({ env: { PUBLIC_URL: 'https://zhiber.example' } });
  const readCookieAttributes = async (target: typeof service) => {
    const phone = target.phone();
    const other = createCabinetClient(target);
    const body = await other.requestPhoneCode(phone);
    const { headers } = await other.call(S.signInByPhone, { body });
    return [headers['set-cookie']].flat().map((text) => String(text).replace(/=[^;]+/, '=…'));
  };

  test('is HttpOnly and SameSite', async () => {
    assert.deepEqual(await readCookieAttributes(service), [
      'zhiber=…; Max-Age=43200; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });

  test('is also Secure and bound to the host when the public URL is https', async () => {
    assert.deepEqual(await readCookieAttributes(secure), [
      '__Host-zhiber=…; Max-Age=43200; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
    const person = await createCabinetClient(secure).person();
    assert.match(person.cookie, /^__Host-zhiber=/);
    (await createCabinetClient(secure).as(person).call(S.session)).ok();
  });
});

test('a request without a session is refused', async () => {
  (await cabinet.call(S.session)).refused('not_signed_in');
});
