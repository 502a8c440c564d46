import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { createAuthenticator } from './authenticator.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { readEmailToken } from './inbox.ts';

let log = '';
const service = useService({
  log: {
    write(line) {
      log += line;
    },
  },
});
const cabinet = createCabinetClient(service);

/** The content of the tables as text. */
async function dumpTables(): Promise<string> {
  const tables = ['person', 'session', 'second_factor', 'recovery_code'];
  const texts = [];
  for (const table of [...tables, 'letter_link', 'sign_in_limit', 'code', 'audit_record']) {
    texts.push(JSON.stringify(await service.sql(`select t::text from ${table} t`)));
  }
  return texts.join('\n');
}

test('no password, code, token or secret is in the log, nor unencrypted in the database', async () => {
  const secrets: Record<string, string> = {};
  const person = { cookie: '' };
  const call = cabinet.as(person).call;
  const phone = service.phone();
  const typed = await cabinet.requestPhoneCode(phone, person);
  secrets['code to the phone'] = typed.code;
  secrets['token of the request'] = typed.request_token;
  (await call(S.signInByPhone, { body: typed })).ok();

  await cabinet.proveIdentities();
  const email = 'canary@example.kz';
  (await call(P.changeEmail, { body: { email } })).ok();
  secrets['token of an address'] = readEmailToken(service, email);
  (await call(P.confirmNewEmail, { body: { token: secrets['token of an address'] } })).ok();
  secrets.password = 'Wq7-stone-bird-lamp';
  (await call(P.changePassword, { body: { password: secrets.password } })).ok();
  secrets['wrong password'] = 'canary-wrong-9fK2';
  const wrong = { email, password: secrets['wrong password'] };
  (await cabinet.call(S.signInByEmail, { body: wrong })).refused('wrong_credentials');
  (await cabinet.call(S.forgotPassword, { body: { email } })).ok();
  secrets['token of a new password'] = readEmailToken(service, email);

  const { secret, uri } = (await call(P.startSecondFactor)).ok();
  secrets['secret of the app'] = secret;
  const [row] = await service.sql<{ sealed: Buffer }>(
    'select sealed_secret as sealed from second_factor',
  );
  const plain = Buffer.from(service.ctx.secrets.unseal(row?.sealed ?? Buffer.of()), 'hex');
  secrets['secret of the app in bytes'] = plain.toString('hex');
  const body = { code: createAuthenticator(uri).code() };
  const { recovery_codes: codes } = (await call(P.confirmSecondFactor, { body })).ok();
  secrets['recovery code'] = codes[0] ?? '';
  assert(uri.includes(secret));
  secrets['token of the session'] = person.cookie.split('=')[1] ?? '';
  // A failing query logs an error with more details than a normal request.
  await service.sql('alter table session rename to session_away');
  assert.equal((await cabinet.call(S.signInByEmail, { body: wrong })).status, 401);
  assert.equal((await call(S.session)).status, 500);
  await service.sql('alter table session_away rename to session');

  const database = await dumpTables();
  assert(log.includes('"msg":"unexpected error"'), 'the log was not captured');
  for (const [what, text] of Object.entries(secrets)) {
    assert(text.length >= 6, what);
    assert(!log.includes(text), `${what} is in the log`);
    // Six digits can also be a part of a time or an id.
    if (what !== 'code to the phone')
      assert(!database.includes(text), `${what} is in the database`);
  }
});
