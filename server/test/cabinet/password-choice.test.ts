import { test } from 'node:test';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { readEmailToken } from './inbox.ts';

const service = useService();
const { call, as, person } = createCabinetClient(service);
const GOOD = 'верный конь 5';
let people = 0;

/** What is refused, by the code that says why. */
const refusedFor = ({ name, email }: { name: string; email: string }) =>
  ({
    weak_password: [' '.repeat(8), 'qwerty123', 'йцукенгш', '12345678', 'aaaaaaaa'],
    personal_password: [
      `${name}1`,
      `${name} 2026`,
      email,
      `${email.split('@')[0]}12`,
      'Zhiber2026',
    ],
  }) as const;

async function startSignUp() {
  people += 1;
  const body = { name: 'Гүлбаршын', email: `gulbarshyn${people}@example.kz` };
  (await call(S.signUpByEmail, { body })).ok();
  return { ...body, token: readEmailToken(service, body.email) };
}

test('a password that is guessed first, or that says who one is, does not finish a sign-up', async () => {
  const { token, ...facts } = await startSignUp();
  const finish = (password: string) => call(S.finishSignUp, { body: { token, password } });
  for (const code of ['weak_password', 'personal_password'] as const) {
    for (const password of refusedFor(facts)[code]) (await finish(password)).refused(code);
  }
  // A refused password does not use up the link.
  (await finish(GOOD)).ok();
});

test('a reset refuses the same passwords, and the phone of the account', async () => {
  const { token, ...facts } = await startSignUp();
  (await call(S.finishSignUp, { body: { token, password: GOOD } })).ok();
  const phone = service.phone();
  await service.sql('update person set phone = $1 where email = $2', [phone.slice(1), facts.email]);
  (await call(S.forgotPassword, { body: { email: facts.email } })).ok();
  const resetToken = readEmailToken(service, facts.email);
  const reset = (password: string) =>
    call(S.resetPassword, { body: { token: resetToken, password } });
  for (const code of ['weak_password', 'personal_password'] as const) {
    for (const password of refusedFor(facts)[code]) (await reset(password)).refused(code);
  }
  (await reset(`8${phone.slice(2)}`)).refused('personal_password');
  (await reset('другой верный конь')).ok();
});

test('a change refuses the same passwords, and the phone of the account', async () => {
  const who = await person({ role: 'owner' });
  const facts = { name: 'Гүлбаршын', email: 'gulbarshyn@example.kz' };
  await service.sql('update person set name = $2, email = $3 where id = $1', [
    who.personId,
    facts.name,
    facts.email,
  ]);
  await prove(who);
  const change = (password: string) => as(who).call(P.changePassword, { body: { password } });
  for (const code of ['weak_password', 'personal_password'] as const) {
    for (const password of refusedFor(facts)[code]) (await change(password)).refused(code);
  }
  for (const own of [
    who.phone,
    who.phone.slice(1),
    `8 (${who.phone.slice(2, 5)}) ${who.phone.slice(5)}`,
  ]) {
    (await change(own)).refused('personal_password');
  }
  (await change(GOOD)).ok();
});

async function prove({ personId }: TestPerson): Promise<void> {
  await service.sql('update session set proven_at = clock_timestamp() where person_id = $1', [
    personId,
  ]);
}
