import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN_SESSION_ENDPOINTS as S } from '@zhiber/contract/admin/session.ts';
import { createAuthenticator } from '../cabinet/authenticator.ts';
import { useService } from '../harness.ts';
import { createAdminClient } from './admin-client.ts';

let log = '';
const service = useService({
  log: {
    write(line) {
      log += line;
    },
  },
});
const { as, invite } = createAdminClient(service);

test('no password, code, token or secret of an operator is in the log, nor unencrypted in the database', async () => {
  const secrets: Record<string, string> = {};
  const who = { cookie: '' };
  const tokenOf = () => who.cookie.split('=')[1] ?? '';
  const { email, token } = await invite();
  secrets['token of the welcome link'] = token;
  (await as(who).call(S.readWelcome, { body: { token } })).ok();
  secrets.password = 'Wq7-stone-bird-lamp';
  (await as(who).call(S.welcome, { body: { token, password: secrets.password } })).ok();
  secrets['token of the half session'] = tokenOf();
  const { secret, uri } = (await as(who).call(S.startSecondFactor)).ok();
  secrets['secret of the app'] = secret;
  const body = { code: createAuthenticator(uri).code() };
  const codes = (await as(who).call(S.confirmSecondFactor, { body })).ok().recovery_codes;
  secrets['recovery code'] = codes[0] as string;
  secrets['used recovery code'] = codes[1] as string;
  const wrong = { email, password: 'canary-wrong-9fK2' };
  secrets['wrong password'] = wrong.password;
  const other = { cookie: '' };
  (await as(other).call(S.signIn, { body: wrong })).refused('wrong_credentials');
  (await as(other).call(S.signIn, { body: { email, password: secrets.password } })).refused(
    'second_factor_required',
  );
  const second = { code: codes[1] as string, is_recovery_code: true };
  (await as(other).call(S.signInSecond, { body: second })).ok();
  secrets['token of the session'] = other.cookie.split('=')[1] ?? '';
  // A failing query logs an error with more details than a normal request.
  await service.sql('alter table operator_session rename to operator_session_away');
  assert.equal((await as(other).call(S.session)).status, 500);
  await service.sql('alter table operator_session_away rename to operator_session');

  const tables = ['person', 'operator', 'operator_welcome', 'operator_session', 'operator_audit'];
  const more = ['second_factor', 'recovery_code', 'security_event', 'sign_in_limit'];
  let database = '';
  for (const table of [...tables, ...more]) {
    database += JSON.stringify(await service.sql(`select t::text from ${table} t`));
  }
  assert(log.includes('"msg":"unexpected error"'), 'the log was not captured');
  for (const [what, text] of Object.entries(secrets)) {
    assert(text.length >= 6, what);
    assert(!log.includes(text), `${what} is in the log`);
    assert(!database.includes(text), `${what} is in the database`);
  }
});
