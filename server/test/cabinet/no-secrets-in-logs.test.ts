import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  PROFILE_ENDPOINTS as P,
  SESSION_ENDPOINTS as S,
} from '@zhiber/contract/cabinet/session.ts';
import { stepOf, totpAt } from '../../src/people/second-factor/totp.ts';
import { useService } from '../harness.ts';
import { codeAt, tokenAt } from './inbox.ts';
import { signedIn } from './signed-in.ts';

let log = '';
const service = useService({
  log: {
    write(line) {
      log += line;
    },
  },
});
const cabinet = signedIn(service);

/** Everything the tables hold, as text. */
async function dump(): Promise<string> {
  const tables = ['person', 'credential', 'session', 'second_factor', 'recovery_code'];
  const texts = [];
  for (const table of [...tables, 'letter_link', 'sign_in_limit', 'code', 'audit_record']) {
    texts.push(JSON.stringify(await service.sql(`select t::text from ${table} t`)));
  }
  return texts.join('\n');
}

test('no password, code, token or secret is in the log, nor in the database in clear', async () => {
  const secrets: Record<string, string> = {};
  const person = { cookie: '' };
  const call = cabinet.as(person).call;
  const phone = service.phone();
  (await call(S.sendPhoneCode, { body: { phone } })).ok();
  secrets['code to the phone'] = codeAt(service, phone);
  (await call(S.signInByPhone, { body: { phone, code: secrets['code to the phone'] } })).ok();

  const email = 'canary@example.kz';
  (await call(P.changeEmail, { body: { email } })).ok();
  secrets['token of an address'] = tokenAt(service, email);
  (await call(S.confirmEmail, { body: { token: secrets['token of an address'] } })).ok();
  secrets.password = 'canary-password-Wq7';
  (await call(P.changePassword, { body: { password: secrets.password } })).ok();
  secrets['wrong password'] = 'canary-wrong-9fK2';
  const wrong = { email, password: secrets['wrong password'] };
  (await cabinet.call(S.signInByEmail, { body: wrong })).refused('wrong_credentials');
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  secrets['token of a new password'] = tokenAt(service, email);

  const { secret, uri } = (await call(P.startSecondFactor)).ok();
  secrets['secret of the app'] = secret;
  const [row] = await service.sql<{ sealed: Buffer }>(
    'select sealed_secret as sealed from second_factor',
  );
  const plain = Buffer.from(service.ctx.secrets.unseal(row?.sealed ?? Buffer.of()), 'hex');
  secrets['secret of the app in bytes'] = plain.toString('hex');
  const body = { code: totpAt(plain, stepOf(new Date())) };
  const { recovery_codes: codes } = (await call(P.confirmSecondFactor, { body })).ok();
  secrets['recovery code'] = codes[0] ?? '';
  assert(uri.includes(secret));
  const signature = decodeURIComponent(person.cookie).split('.')[1] ?? '';
  secrets['signature of the cookie'] = signature;
  // The database goes away in the middle of it: what is logged then is of another kind.
  await service.sql('alter table session rename to session_away');
  assert.equal((await cabinet.call(S.signInByEmail, { body: wrong })).status, 401);
  assert.equal((await call(S.session)).status, 500);
  await service.sql('alter table session_away rename to session');

  const database = await dump();
  assert(log.includes('"msg":"bug"'), 'the log was not listened to');
  for (const [what, text] of Object.entries(secrets)) {
    assert(text.length >= 6, what);
    assert(!log.includes(text), `${what} is in the log`);
    // Six digits may well stand in a time or an id.
    if (what !== 'code to the phone')
      assert(!database.includes(text), `${what} is in the database`);
  }
});
