/** How operators sign in to the desk: the two steps, their limits, and what ends a session. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_SESSION_ENDPOINTS as S } from '@zhiber/contract/admin/session.ts';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as C } from '@zhiber/contract/cabinet/session.ts';
import { blockPerson } from '../../src/accounts/block-person.ts';
import { lockPerson } from '../../src/accounts/person-store.ts';
import { endAllSessions } from '../../src/accounts/session-store.ts';
import {
  createOperator,
  removeOperator,
  resetOperator,
} from '../../src/operators/manage-operators.ts';
import { takeWelcome } from '../../src/operators/operator-store.ts';
import { createAuthenticator } from '../cabinet/authenticator.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import { hasLockWaiter, runConcurrently, until, useService } from '../harness.ts';
import { createAdminClient, PASSWORD, type TestOperator } from './admin-client.ts';

const service = useService({ env: { TRUST_PROXY: '127.0.0.1' } });
const cabinet = createCabinetClient(service);
const { as, call, invite, halfOperator, operator } = createAdminClient(service);

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const signIn = (
  who: { cookie: string },
  email: string,
  password = PASSWORD,
  address = '10.3.0.1',
) => as(who).call(S.signIn, { body: { email, password }, ...from(address) });
const browser = () => ({ cookie: '' });

/** A person of the cabinet with an address and a password, and no second factor. */
async function personWithPassword(email: string): Promise<{ personId: string; cookie: string }> {
  const person = await cabinet.person();
  await service.sql(
    `update person set email = $2, password_hash = (
       select password_hash from person where password_hash is not null limit 1) where id = $1`,
    [person.personId, email],
  );
  return person;
}

/** Moves the code of the app that was used on, so that the same code is accepted again. */
const forgetUsedCodes = (who: TestOperator) =>
  service.sql('update second_factor set last_step = 0 where person_id = $1', [who.personId]);

describe('an operator', () => {
  test('signs in with the password and a code of the app', async () => {
    const { email, app } = await operator();
    const who = browser();
    (await signIn(who, email.toUpperCase())).refused('second_factor_required');
    const half = { ...who };
    assert.deepEqual((await as(who).call(S.secondFactors)).ok(), {
      success: true,
      has_code_app: true,
      has_passkey: false,
    });
    (await as(who).call(S.signInSecond, { body: { code: app.nextCode() } })).ok();
    assert.equal((await as(who).call(S.session)).ok().person.email, email);
    // The token of the first step is replaced, so that it opens nothing if somebody has seen it.
    assert.notEqual(who.cookie, half.cookie);
    (await as(half).call(S.session)).refused('not_signed_in');
  });

  test('gets a cookie for half a day, for no other site and no script', async () => {
    const { email } = await operator();
    const { headers } = await signIn(browser(), email);
    assert.match(
      String(headers['set-cookie']),
      /^zhiber-admin=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test('signs in with a recovery code, which works once', async () => {
    const { email, recoveryCodes } = await operator();
    const body = { code: recoveryCodes[0] as string, is_recovery_code: true };
    const who = browser();
    (await signIn(who, email)).refused('second_factor_required');
    (await as(who).call(S.signInSecond, { body })).ok();
    const again = browser();
    (await signIn(again, email)).refused('second_factor_required');
    (await as(again).call(S.signInSecond, { body })).refused('wrong_code');
  });

  test('uses a code of the app once, also beside the cabinet', async () => {
    const { email, app } = await operator();
    const body = { code: app.nextCode() };
    const who = browser();
    (await signIn(who, email)).refused('second_factor_required');
    (await as(who).call(S.signInSecond, { body })).ok();
    const inCabinet = browser();
    const typed = { body: { email, password: PASSWORD } };
    (await cabinet.as(inCabinet).call(C.signInByEmail, typed)).refused('second_factor_required');
    (await cabinet.as(inCabinet).call(C.signInSecond, { body })).refused('wrong_code');
  });

  test('without a second factor sets one up, and only then works', async () => {
    const { email } = await halfOperator();
    const who = browser();
    (await signIn(who, email)).refused('second_factor_needed');
    (await as(who).call(S.secondFactors)).refused('not_signed_in');
    (await as(who).call(S.session)).refused('second_factor_needed');
    (await as(who).call(S.startSecondFactor)).ok();
  });

  test('ends the sessions of others with the first second factor', async () => {
    const first = await halfOperator();
    const other = browser();
    (await signIn(other, first.email)).refused('second_factor_needed');
    (await as(other).call(S.startPasskey)).ok();
    const { uri } = (await as(first).call(S.startSecondFactor)).ok();
    const body = { code: createAuthenticator(uri).code() };
    (await as(first).call(S.confirmSecondFactor, { body })).ok();
    (await as(other).call(S.startPasskey)).refused('not_signed_in');
  });

  test('loses the race of two first factors: one session is left, and one factor', async () => {
    const slow = await halfOperator();
    const { uri } = (await as(slow).call(S.startSecondFactor)).ok();
    const body = { code: createAuthenticator(uri).code() };
    const answer = await service.ctx.db.transaction(async (tx) => {
      await lockPerson(tx, slow.personId);
      const confirming = as(slow).call(S.confirmSecondFactor, { body });
      await until('the code waits for the other factor', () => hasLockWaiter(service.sql));
      await endAllSessions(tx, slow.personId);
      return { confirming };
    });
    (await answer.confirming).refused('not_signed_in');
    const [factor] = await service.sql(
      'select confirmed_at from second_factor where person_id = $1',
      [slow.personId],
    );
    assert.equal(factor?.confirmed_at, null);
  });

  test('signs out', async () => {
    const who = await operator();
    const before = { cookie: who.cookie };
    (await as(who).call(S.signOut)).ok();
    assert.equal(who.cookie, '');
    (await as(before).call(S.session)).refused('not_signed_in');
  });

  test('has one session in a browser: a sign-in ends the one before', async () => {
    const who = await operator();
    const before = { cookie: who.cookie };
    (await signIn(who, who.email)).refused('second_factor_required');
    (await as(before).call(S.session)).refused('not_signed_in');
  });
});

describe('nobody else signs in to the desk', () => {
  test('an unknown address, a customer and a wrong password get the same answer after one hash', async () => {
    const { email } = await operator();
    await personWithPassword('customer@example.kz');
    (
      await cabinet.call(C.signInByEmail, {
        body: { email: 'customer@example.kz', password: PASSWORD },
      })
    ).ok();
    const answers = [];
    for (const [address, password] of [
      ['nobody@example.kz', PASSWORD],
      ['customer@example.kz', PASSWORD],
      [email, 'wrong'],
    ] as const) {
      const hashes = service.hashCount();
      const answer = await signIn(browser(), address, password, '10.3.1.1');
      const { request_id: _id, ...refusal } = answer.refused('wrong_credentials');
      answers.push({
        refusal,
        hashes: service.hashCount() - hashes,
        cookie: answer.headers['set-cookie'],
      });
    }
    assert.equal(answers[0]?.hashes, 1);
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[2], answers[0]);
  });

  test('a removed operator, and one who has not used the welcome link', async () => {
    const { email } = await operator();
    await removeOperator(service.ctx, {}, { email });
    (await signIn(browser(), email)).refused('wrong_credentials');
    const invited = await invite();
    await service.sql(
      `update person set password_hash = (
         select password_hash from person where password_hash is not null limit 1) where email = $1`,
      [invited.email],
    );
    (await signIn(browser(), invited.email)).refused('wrong_credentials');
  });

  test('a blocked person, at either step', async () => {
    const { email, personId, app } = await operator();
    const who = browser();
    (await signIn(who, email)).refused('second_factor_required');
    await blockPerson(service.ctx, { person: { personId, name: 'Имя' }, reason: 'жалобы' });
    (await as(who).call(S.signInSecond, { body: { code: app.nextCode() } })).refused(
      'not_signed_in',
    );
    (await signIn(browser(), email)).refused('person_blocked');
  });

  test('the second step needs the first', async () => {
    const { app } = await operator();
    (await call(S.signInSecond, { body: { code: app.nextCode() } })).refused('not_signed_in');
    (await call(S.startPasskeySecondStep)).refused('not_signed_in');
  });
});

describe('limits', () => {
  test('ten wrong passwords are checked in 15 minutes, at the desk and in the cabinet together', async () => {
    const { email } = await operator();
    const address = '10.3.2.1';
    const wrong = { email, password: 'wrong' };
    for (let i = 0; i < 5; i++) {
      (await signIn(browser(), email, 'wrong', address)).refused('wrong_credentials');
      const inCabinet = await cabinet.call(C.signInByEmail, { body: wrong, ...from(address) });
      inCabinet.refused('wrong_credentials');
    }
    const { retry_after } = (await signIn(browser(), email, PASSWORD, address)).refused(
      'sign_in_limited',
    );
    assert(Number(retry_after) > 14 * 60, String(retry_after));
    (await signIn(browser(), email, PASSWORD, '10.3.2.2')).refused('second_factor_required');
    await service.passTime(15 * 60);
    (await signIn(browser(), email, PASSWORD, address)).refused('second_factor_required');
  });

  test('an unknown address is counted in the same way', async () => {
    const address = '10.3.2.9';
    for (let i = 0; i < 10; i++) {
      (await signIn(browser(), 'unknown@example.kz', 'wrong', address)).refused(
        'wrong_credentials',
      );
    }
    (await signIn(browser(), 'unknown@example.kz', 'wrong', address)).refused('sign_in_limited');
  });

  test('five wrong codes are checked in 15 minutes, and the right one is refused then', async () => {
    const { email, app } = await operator();
    const who = browser();
    const address = '10.3.3.1';
    (await signIn(who, email, PASSWORD, address)).refused('second_factor_required');
    for (let i = 0; i < 5; i++) {
      const guess = { body: { code: '000000' }, ...from(address) };
      (await as(who).call(S.signInSecond, guess)).refused('wrong_code');
    }
    const right = { body: { code: app.nextCode() }, ...from(address) };
    (await as(who).call(S.signInSecond, right)).refused('sign_in_limited');
  });

  test('guesses inside a session count as well', async () => {
    const who = await operator();
    const address = '10.3.3.2';
    for (let i = 0; i < 5; i++) {
      const guess = { body: { code: '000000' }, ...from(address) };
      (await as(who).call(S.confirmIdentity, guess)).refused('wrong_code');
    }
    const right = { body: { code: who.app.nextCode() }, ...from(address) };
    (await as(who).call(S.confirmIdentity, right)).refused('sign_in_limited');
  });
});

describe('a session of the desk ends at once', () => {
  const isOpen = async (who: { cookie: string }) => (await as(who).call(S.session)).status === 200;
  /** The person of an operator in the cabinet, with a proof just before. */
  const inCabinet = async (who: Awaited<ReturnType<typeof operator>>) => {
    await forgetUsedCodes(who);
    const person = browser();
    const typed = { body: { email: who.email, password: PASSWORD } };
    (await cabinet.as(person).call(C.signInByEmail, typed)).refused('second_factor_required');
    (await cabinet.as(person).call(C.signInSecond, { body: { code: who.app.nextCode() } })).ok();
    await cabinet.proveIdentities();
    return person;
  };

  const endings: Record<string, (who: Awaited<ReturnType<typeof operator>>) => Promise<unknown>> = {
    'when the operator is removed': ({ email }) => removeOperator(service.ctx, {}, { email }),
    'when the person is blocked': ({ personId }) =>
      blockPerson(service.ctx, { person: { personId, name: 'Имя' }, reason: 'жалобы' }),
    'when the second factor is removed in the cabinet': async (who) =>
      (await cabinet.as(await inCabinet(who)).call(P.endSecondFactor)).ok(),
    'when the password is changed in the cabinet': async (who) => {
      const body = { current: PASSWORD, password: 'другой длинный пароль 8' };
      (await cabinet.as(await inCabinet(who)).call(P.changePassword, { body })).ok();
    },
    'when the person ends all other sessions': async (who) =>
      (await cabinet.as(await inCabinet(who)).call(P.endOtherSessions)).ok(),
  };
  for (const [when, end] of Object.entries(endings)) {
    test(when, async () => {
      const who = await operator();
      assert.equal(await isOpen(who), true);
      await end(who);
      (await as(who).call(S.session)).refused('not_signed_in');
      const rows = await service.sql('select from operator_session where person_id = $1', [
        who.personId,
      ]);
      assert.equal(rows.length, 0);
    });
  }

  test('and a removed operator who is made one again has no old session', async () => {
    const who = await operator();
    const [{ id } = { id: '' }] = await service.sql<{ id: string }>(
      'update operator set removed_at = clock_timestamp() where person_id = $1 returning person_id as id',
      [who.personId],
    );
    assert.equal(id, who.personId);
    const again = await createOperator(service.ctx, {}, { email: who.email, name: 'Имя' });
    assert.deepEqual(again, { outcome: 'signs_in' });
    (await as(who).call(S.session)).refused('not_signed_in');
    (await signIn(browser(), who.email)).refused('second_factor_required');
  });
});

describe('the welcome link', () => {
  test('shows whom it is for, sets a password and needs a second factor next', async () => {
    const { email, token } = await invite();
    assert.equal((await call(S.readWelcome, { body: { token } })).ok().email, email);
    const who = browser();
    (await as(who).call(S.welcome, { body: { token, password: PASSWORD } })).ok();
    (await as(who).call(S.session)).refused('second_factor_needed');
    (await call(S.readWelcome, { body: { token } })).refused('link_ended');
  });

  test('works once, also when it is used eight times together', async () => {
    const { email, token } = await invite();
    const answers = await runConcurrently(8, (i) =>
      call(S.welcome, {
        body: { token, password: `${PASSWORD} ${i}` },
        ...from(`10.4.0.${i + 1}`),
      }),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      answer.refused('link_ended');
    const joined = (await acts()).filter(
      ({ action, object }) => action === 'operator.joined' && object === email,
    );
    assert.equal(joined.length, 1);
    (await call(S.welcome, { body: { token, password: PASSWORD } })).refused('link_ended');
  });

  test('is taken by one of two transactions, also when both have found it', async () => {
    const { token } = await invite();
    const { db } = service.ctx;
    const second = await db.transaction(async (tx) => {
      assert(await takeWelcome(tx, token));
      const waiting = db.transaction((other) => takeWelcome(other, token));
      await until('the second waits', () => hasLockWaiter(service.sql));
      return { waiting };
    });
    assert.equal(await second.waiting, undefined);
  });

  test('ends after a day, with a new link, and with the removal', async () => {
    const late = await invite();
    await service.sql(`update operator_welcome set ends_at = ends_at - interval '24 hours'`);
    (await call(S.readWelcome, { body: { token: late.token } })).refused('link_ended');
    (await call(S.welcome, { body: { token: late.token, password: PASSWORD } })).refused(
      'link_ended',
    );

    const first = await invite();
    const second = await createOperator(service.ctx, {}, { email: first.email, name: 'Имя' });
    assert(second.outcome === 'welcomed');
    (await call(S.readWelcome, { body: { token: first.token } })).refused('link_ended');
    (await call(S.readWelcome, { body: { token: second.token } })).ok();
    assert.equal(await removeOperator(service.ctx, {}, { email: first.email }), true);
    (await call(S.welcome, { body: { token: second.token, password: PASSWORD } })).refused(
      'link_ended',
    );
  });

  test('refuses a password that is guessed first, and stays usable', async () => {
    const { token } = await invite();
    (await call(S.welcome, { body: { token, password: 'password1' } })).refused('weak_password');
    (await call(S.welcome, { body: { token, password: PASSWORD } })).ok();
  });

  test('is not made for an account that somebody signs in to: it must not take it over', async () => {
    const email = 'known@example.kz';
    const person = await personWithPassword(email);
    const created = await createOperator(service.ctx, {}, { email, name: 'Чужое имя' });
    assert.deepEqual(created, { outcome: 'signs_in' });
    assert.deepEqual(await createOperator(service.ctx, {}, { email, name: 'Имя' }), {
      outcome: 'known',
    });
    (await signIn(browser(), email)).refused('second_factor_needed');
    (await cabinet.as(person).call(C.session)).ok();
  });

  test('is not made for a blocked person', async () => {
    const { email, personId } = await operator();
    await removeOperator(service.ctx, {}, { email });
    await blockPerson(service.ctx, {
      person: { personId, name: 'Имя' },
      reason: 'жалобы',
    });
    assert.deepEqual(await createOperator(service.ctx, {}, { email, name: 'Имя' }), {
      outcome: 'blocked',
    });
  });
});

describe('a reset', () => {
  test('removes everything an operator signs in with, and the link sets new things', async () => {
    const who = await operator();
    const old = { ...who };
    const reset = await resetOperator(service.ctx, {}, { email: who.email });
    assert(reset.outcome === 'welcomed');
    (await as(old).call(S.session)).refused('not_signed_in');
    (await signIn(browser(), who.email)).refused('wrong_credentials');
    const typed = { body: { email: who.email, password: PASSWORD } };
    (await cabinet.call(C.signInByEmail, typed)).refused('wrong_credentials');

    const next = browser();
    const { token } = reset;
    const password = 'новый конь у юрты 7';
    (await as(next).call(S.welcome, { body: { token, password } })).ok();
    (await as(next).call(S.secondFactors)).refused('not_signed_in');
    const { uri } = (await as(next).call(S.startSecondFactor)).ok();
    const code = createAuthenticator(uri).code();
    const { recovery_codes: codes } = (
      await as(next).call(S.confirmSecondFactor, { body: { code } })
    ).ok();
    assert.equal(new Set([...codes, ...who.recoveryCodes]).size, 20);
    assert.equal((await as(next).call(S.session)).ok().person.email, who.email);
    const again = browser();
    (await signIn(again, who.email, password)).refused('second_factor_required');
    for (const body of [
      { code: who.app.nextCode() },
      { code: who.recoveryCodes[0] as string, is_recovery_code: true },
    ]) {
      (await as(again).call(S.signInSecond, { body })).refused('wrong_code');
    }
    const own = (await acts()).filter(({ object }) => object === who.email);
    assert.deepEqual(
      own.map(({ action }) => action).filter((action) => /joined|reset/.test(action)),
      ['operator.joined', 'operator.reset', 'operator.joined'],
    );
  });

  test('removes passkeys, also one that is being added, and can be made again', async () => {
    const { email, personId } = await operator();
    const { resetting } = await service.ctx.db.transaction(async (tx) => {
      await lockPerson(tx, personId);
      await tx.query(
        `insert into passkey (id, credential_id, person_id, name, public_key, counter, transports)
         values ('p', 'c', $1, 'Телефон', '', 0, '{}')`,
        [personId],
      );
      const resetting = resetOperator(service.ctx, {}, { email });
      await until('the reset waits for the passkey', () => hasLockWaiter(service.sql));
      return { resetting };
    });
    const first = await resetting;
    const passkeys = await service.sql('select from passkey where person_id = $1', [personId]);
    assert.equal(passkeys.length, 0);
    const second = await resetOperator(service.ctx, {}, { email });
    assert(first.outcome === 'welcomed' && second.outcome === 'welcomed');
    (await call(S.readWelcome, { body: { token: first.token } })).refused('link_ended');
    (await call(S.readWelcome, { body: { token: second.token } })).ok();
  });

  test('is for operators alone, who are not blocked', async () => {
    await personWithPassword('somebody@example.kz');
    for (const email of ['somebody@example.kz', 'nobody@example.kz']) {
      assert.deepEqual(await resetOperator(service.ctx, {}, { email }), { outcome: 'unknown' });
    }
    const removed = await operator();
    await removeOperator(service.ctx, {}, removed);
    assert.deepEqual(await resetOperator(service.ctx, {}, removed), { outcome: 'unknown' });
    (
      await cabinet.call(C.signInByEmail, {
        body: { email: 'somebody@example.kz', password: PASSWORD },
      })
    ).ok();
    const blocked = await operator();
    const person = { personId: blocked.personId, name: 'Имя' };
    await blockPerson(service.ctx, { person, reason: 'жалобы' });
    assert.deepEqual(await resetOperator(service.ctx, {}, blocked), { outcome: 'blocked' });
  });
});

async function acts() {
  const who = await operator();
  return (await as(who).call(A.audit)).ok().rows;
}
