import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  PROFILE_ENDPOINTS as P,
  SESSION_ENDPOINTS as S,
} from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { codeAt } from './inbox.ts';
import { signedIn, type TestPerson } from './signed-in.ts';

const service = useService();
const cabinet = signedIn(service);
const MINUTE = 60;

const isOpen = async (person: { cookie: string }) =>
  (await cabinet.as(person).call(S.session)).status === 200;

test('a session ends after half an hour without use', async () => {
  const person = await cabinet.person();
  await service.passTime(29 * MINUTE);
  assert.equal(await isOpen(person), true);
  await service.passTime(29 * MINUTE);
  assert.equal(await isOpen(person), true);
  await service.passTime(31 * MINUTE);
  assert.equal(await isOpen(person), false);
});

test('a session ends after twelve hours, however much it is used', async () => {
  const person = await cabinet.person();
  for (let passed = 0; passed < 11.5 * 60; passed += 29) {
    await service.passTime(29 * MINUTE);
    assert.equal(await isOpen(person), true, `${passed} minutes`);
  }
  await service.passTime(29 * MINUTE);
  assert.equal(await isOpen(person), false);
});

test('a cookie with another token, another signature or none opens nothing', async () => {
  const person = await cabinet.person();
  const [name = '', value = ''] = person.cookie.split('=');
  const [token = '', signature = ''] = decodeURIComponent(value).split('.');
  const other = await cabinet.person();
  const [, otherSigned = ''] = decodeURIComponent(other.cookie).split('.');
  const forged = [token, `${token}.`, `${token}.${otherSigned}`, `.${signature}`, `%E0%A4`, ''];
  for (const one of forged) {
    assert.equal(await isOpen({ cookie: `${name}=${one}` }), false, one);
    assert.equal(await isOpen({ cookie: `${name}=${encodeURIComponent(one)}` }), false, one);
  }
  assert.equal(await isOpen({ cookie: `a=b; ${person.cookie}; c=d` }), true);
});

test('what the database holds of a session does not open it', async () => {
  const person = await cabinet.person();
  const [row] = await service.sql<{ token: string }>(
    'select token from session where person_id = $1',
    [person.personId],
  );
  assert.equal(await isOpen({ cookie: `zhiber=${row?.token}` }), false);
});

test('signing out ends the session, and the browser is told to forget it', async () => {
  const person = await cabinet.person();
  const { cookie } = person;
  (await cabinet.as(person).call(S.signOut)).ok();
  assert.equal(person.cookie, '');
  assert.equal(await isOpen({ cookie }), false);
});

test('signing in again ends the session this browser had', async () => {
  const person = await cabinet.person();
  const before = person.cookie;
  const { phone } = person;
  (await cabinet.as(person).call(S.sendPhoneCode, { body: { phone } })).ok();
  const body = { phone, code: codeAt(service, phone) };
  (await cabinet.as(person).call(S.signInByPhone, { body })).ok();
  assert.notEqual(person.cookie, before);
  assert.equal(await isOpen({ cookie: before }), false);
});

describe('the list of sessions', () => {
  const list = async (person: { cookie: string }) =>
    (await cabinet.as(person).call(P.sessions)).ok().sessions;

  test('shows where somebody is signed in, and ends one of them elsewhere', async () => {
    const here = await cabinet.person();
    const elsewhere = await cabinet.person({ phone: here.phone });
    const sessions = await list(here);
    assert.equal(sessions.length, 2);
    assert.deepEqual(sessions.map((one) => one.is_this).toSorted(), [false, true]);
    assert.deepEqual(sessions[0]?.address, '127.0.0.1');
    const id = sessions.find((one) => !one.is_this)?.id ?? '';
    (await cabinet.as(here).call(P.endSession, { params: { id } })).ok();
    assert.equal(await isOpen(elsewhere), false);
    assert.equal(await isOpen(here), true);
    (await cabinet.as(here).call(P.endSession, { params: { id } })).refused('not_found');
  });

  test('ends all others at once', async () => {
    const here = await cabinet.person();
    const others = [];
    for (let i = 0; i < 3; i++) others.push(await cabinet.person({ phone: here.phone }));
    (await cabinet.as(here).call(P.endOtherSessions)).ok();
    assert.equal((await list(here)).length, 1);
    for (const other of others) assert.equal(await isOpen(other), false);
  });

  test('does not reach the session of anybody else', async () => {
    const mine = await cabinet.person();
    const theirs = await cabinet.person();
    const [session] = await list(theirs);
    const params = { id: session?.id ?? '' };
    (await cabinet.as(mine).call(P.endSession, { params })).refused('not_found');
    assert.equal(await isOpen(theirs), true);
  });
});

test('a new password ends the other sessions, and asks for the old one', async () => {
  const here = await cabinet.person();
  const elsewhere = await cabinet.person({ phone: here.phone });
  const change = (body: { current?: string; password: string }) =>
    cabinet.as(here).call(P.changePassword, { body });
  (await change({ password: 'first of this person' })).ok();
  assert.equal(await isOpen(elsewhere), false);
  (await change({ password: 'second of this person' })).refused('wrong_credentials');
  (await change({ current: 'no', password: 'second of this person' })).refused('wrong_credentials');
  const right = { current: 'first of this person', password: 'second of this person' };
  (await change(right)).ok();
  assert.equal(await isOpen(here), true);
});

describe('who it is has to be shown again', () => {
  const dangerous = (person: TestPerson) => cabinet.as(person).call(P.startSecondFactor);
  const grownStale = async () => {
    const person = await cabinet.person();
    for (const minutes of [20, 11]) {
      await service.passTime(minutes * MINUTE);
      assert.equal(await isOpen(person), true);
    }
    (await dangerous(person)).refused('stale_sign_in');
    return person;
  };

  test('by a code to the own phone', async () => {
    const person = await grownStale();
    (await cabinet.as(person).call(S.confirmIdentity, { body: {} })).refused('validation_error');
    (await cabinet.as(person).call(S.sendIdentityCode)).ok();
    const code = codeAt(service, person.phone);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    (await cabinet.as(person).call(S.confirmIdentity, { body: { code: wrong } })).refused(
      'invalid_code',
    );
    (await dangerous(person)).refused('stale_sign_in');
    (await cabinet.as(person).call(S.confirmIdentity, { body: { code } })).ok();
    (await dangerous(person)).ok();
  });

  test('not by a code that was sent to sign in', async () => {
    const person = await grownStale();
    const { phone } = person;
    (await cabinet.call(S.sendPhoneCode, { body: { phone } })).ok();
    const body = { code: codeAt(service, phone) };
    (await cabinet.as(person).call(S.confirmIdentity, { body })).refused('code_not_found');
  });

  test('by the password', async () => {
    const person = await cabinet.person();
    const password = 'верный конь 5';
    (await cabinet.as(person).call(P.changePassword, { body: { password } })).ok();
    await service.passTime(20 * MINUTE);
    await isOpen(person);
    await service.passTime(11 * MINUTE);
    (await dangerous(person)).refused('stale_sign_in');
    (await cabinet.as(person).call(S.confirmIdentity, { body: { password: 'no' } })).refused(
      'wrong_credentials',
    );
    (await cabinet.as(person).call(S.confirmIdentity, { body: { password } })).ok();
    (await dangerous(person)).ok();
  });
});

describe('the company of a session', () => {
  test('is the first one of the person, and can be changed for another of theirs', async () => {
    const person = await cabinet.person({ role: 'viewer' });
    const second = await service.company();
    const strange = await service.company();
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
    (await cabinet.as(person).call(S.switchCompany, { body: { company_id: strange } })).refused(
      'not_found',
    );
    (await cabinet.as(person).call(S.switchCompany, { body: { company_id: second } })).ok();
    assert.equal((await session()).company?.id, second);
    assert.equal((await session()).company?.balance, 50);
  });

  test('is none once they were removed from it, though they have another', async () => {
    const person = await cabinet.person({ role: 'owner' });
    const second = await service.company();
    await service.sql(`insert into member (company_id, person_id, role) values ($1, $2, 'owner')`, [
      second,
      person.personId,
    ]);
    await isOpen(person);
    await service.sql('delete from member where company_id = $1', [person.companyId]);
    assert.equal((await cabinet.as(person).call(S.session)).ok().company, null);
    const visitor = await service.people.findVisitor({ cookie: person.cookie });
    assert.equal(visitor?.membership, undefined);
  });

  test('gives the role as it is at this moment', async () => {
    const person = await cabinet.person({ role: 'owner' });
    const role = async () =>
      (await service.people.findVisitor({ cookie: person.cookie }))?.membership?.role;
    assert.equal(await role(), 'owner');
    await service.sql(`update member set role = 'viewer' where person_id = $1`, [person.personId]);
    assert.equal(await role(), 'viewer');
  });
});

test('a phone is changed for one that shows its code, and that nobody else has', async () => {
  const person = await cabinet.person();
  const taken = (await cabinet.person()).phone;
  const fresh = service.phone();
  for (const [phone, expected] of [
    [taken, 'contact_taken'],
    [fresh, undefined],
  ] as const) {
    (await cabinet.as(person).call(P.sendNewPhoneCode, { body: { phone } })).ok();
    const body = { phone, code: codeAt(service, phone) };
    const answer = await cabinet.as(person).call(P.changePhone, { body });
    if (expected === undefined) answer.ok();
    else answer.refused(expected);
  }
  assert.equal((await cabinet.as(person).call(S.session)).ok().person.phone, fresh);
});

test('name and language are changed one by one', async () => {
  const person = await cabinet.person();
  (await cabinet.as(person).call(P.changeProfile, { body: { name: ' Айгерим ' } })).ok();
  (await cabinet.as(person).call(P.changeProfile, { body: { language: 'kk' } })).ok();
  const { name, language } = (await cabinet.as(person).call(S.session)).ok().person;
  assert.deepEqual([name, language], ['Айгерим', 'kk']);
});

describe('the cookie', () => {
  const secure = useService({ env: { PUBLIC_URL: 'https://zhiber.example' } });
  const attributesOf = async (one: typeof service) => {
    const phone = one.phone();
    const other = signedIn(one);
    (await other.call(S.sendPhoneCode, { body: { phone } })).ok();
    const body = { phone, code: codeAt(one, phone) };
    const { headers } = await other.call(S.signInByPhone, { body });
    return [headers['set-cookie']].flat().map((text) => String(text).replace(/=[^;]+/, '=…'));
  };

  test('is for this site alone, out of reach of scripts', async () => {
    assert.deepEqual(await attributesOf(service), [
      'zhiber=…; Max-Age=43200; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });

  test('is for this very host and https, where there is https', async () => {
    assert.deepEqual(await attributesOf(secure), [
      '__Host-zhiber=…; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
    const person = await signedIn(secure).person();
    assert.match(person.cookie, /^__Host-zhiber=/);
    (await signedIn(secure).as(person).call(S.session)).ok();
  });
});

test('a page that nobody is signed in to says so', async () => {
  (await cabinet.call(S.session)).refused('not_signed_in');
});
