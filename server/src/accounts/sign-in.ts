import type { PasskeyAnswer } from '@zhiber/contract/cabinet/credentials.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import type { Sql } from '../db/sql.ts';
import { newId, type PersonId } from '../ids.ts';
import { maskPhone, parsePhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import { newToken } from '../token.ts';
import type { Accounts } from './accounts.ts';
import { countAttempt, endAttempts } from './attempts.ts';
import { challengePasskey, checkPasskey, type PasskeyOptions } from './passkeys.ts';
import {
  addDemoOwner,
  type Credentials,
  findCredentials,
  findOrAddByPhone,
  readPerson,
} from './person-store.ts';
import { checkPhoneCode } from './phone-codes.ts';
import { checkSecondFactor, type SecondProof } from './second-factor.ts';
import { readSessionToken } from './session-cookie.ts';
import { findHalfSignedIn } from './session-store.ts';
import { type Caller, type Started, startSession } from './sessions.ts';

/** An unknown address and a wrong password give the same answer, after the same work. */
export async function signInByEmail(
  accounts: Accounts,
  typed: { email: string; password: string },
  caller: Caller,
): Promise<Started> {
  return await checkEmailAndPassword(
    accounts,
    { ...typed, address: caller.address },
    { findCredentials, enter: (personId) => startSession(accounts, caller, { personId }) },
  );
}

/**
 * Lets a person in whose address and password are right. The attempts of the cabinet and of the
 * operator's desk count together: it is the same password.
 */
export async function checkEmailAndPassword<Entered>(
  accounts: Pick<Accounts, 'ctx' | 'passwords' | 'mailer'>,
  typed: { email: string; password: string; address: string },
  {
    findCredentials,
    enter,
  }: {
    findCredentials: (sql: Sql, email: string) => Promise<Credentials | undefined>;
    enter: (personId: PersonId) => Promise<Entered>;
  },
): Promise<Entered> {
  const { ctx, passwords } = accounts;
  const { password, address } = typed;
  const email = typed.email.toLowerCase();
  const attempts = { what: 'password', account: email, address } as const;
  let known: Credentials | undefined;
  const isRight = await passwords.verify({
    password,
    address,
    async findHash() {
      await countAttempt(accounts, attempts);
      known = await findCredentials(ctx.db, email);
      return known?.hash;
    },
  });
  if (known === undefined || !isRight) throw new Problem('wrong_credentials');
  const entered = await enter(known.personId);
  await endAttempts(ctx, attempts);
  return entered;
}

/** A new phone gets its account with the first right code, in the language of the page. */
export async function signInByPhone(
  accounts: Accounts,
  typed: { phone: string; code: string; browser: string; language: Lang },
  caller: Caller,
): Promise<Started> {
  const { ctx } = accounts;
  const { address } = caller;
  const account = parsePhone(typed.phone)?.phone ?? '';
  await countAttempt(accounts, { what: 'phone_guess', account, address });
  const phone = await checkPhoneCode(accounts, { ...typed, use: 'cabinet' });
  const id = newId(ctx.clock.now().getTime());
  const person = { id, phone, name: maskPhone(phone), language: typed.language };
  const personId = await findOrAddByPhone(ctx.db, person);
  return await startSession(accounts, caller, { personId });
}

/** The second step: replaces the incomplete session of the first step with a complete one. */
export async function signInSecond(
  accounts: Accounts,
  proof: SecondProof,
  caller: Caller,
): Promise<Started> {
  const { personId } = await readHalfSession(accounts, caller);
  const { address, device } = caller;
  await checkSecondFactor(accounts, { personId, address, device }, proof);
  const secondFactorAt = accounts.ctx.clock.now();
  return await startSession(accounts, caller, { personId, secondFactorAt });
}

/** What the second step can be done with. */
export async function listSecondFactors(
  accounts: Accounts,
  caller: Caller,
): Promise<{ hasCodeApp: boolean; hasPasskey: boolean }> {
  const { personId } = await readHalfSession(accounts, caller);
  return await readPerson(accounts.ctx.db, personId);
}

export async function startPasskeySecondStep(
  accounts: Accounts,
  caller: Caller,
): Promise<PasskeyOptions> {
  const half = await readHalfSession(accounts, caller);
  return await challengePasskey(accounts, secondStepOf(half, caller));
}

/** The second step with a passkey of the person who has done the first. */
export async function signInSecondByPasskey(
  accounts: Accounts,
  answer: PasskeyAnswer,
  caller: Caller,
): Promise<Started> {
  const half = await readHalfSession(accounts, caller);
  const { personId, name } = await checkPasskey(accounts, answer, secondStepOf(half, caller));
  const secondFactorAt = accounts.ctx.clock.now();
  return await startSession(accounts, caller, { personId, secondFactorAt, passkey: name });
}

type HalfSession = { sessionId: string; personId: PersonId };

async function readHalfSession({ ctx }: Accounts, { cookie }: Caller): Promise<HalfSession> {
  const token = readSessionToken(ctx.config, cookie);
  const half = token && (await findHalfSignedIn(ctx.db, token));
  if (!half) throw new Problem('not_signed_in');
  return half;
}

function secondStepOf({ sessionId, personId }: HalfSession, { address }: Caller) {
  return { use: 'second_step', browser: sessionId, personId, address } as const;
}

/** A challenge for whoever has a passkey, bound to the browser by a token that it alone gets. */
export async function startPasskeySignIn(
  accounts: Accounts,
  { address }: { address: string },
): Promise<{ options: PasskeyOptions; requestToken: string }> {
  const { token: browser } = newToken();
  const options = await challengePasskey(accounts, signInOf(browser, address));
  return { options, requestToken: browser };
}

/** A passkey is both factors: the device, and what unlocks it. So there is no second step. */
export async function signInByPasskey(
  accounts: Accounts,
  { answer, browser }: { answer: PasskeyAnswer; browser: string },
  caller: Caller,
): Promise<Started> {
  const asked = signInOf(browser, caller.address);
  const { personId, name } = await checkPasskey(accounts, answer, asked);
  const secondFactorAt = accounts.ctx.clock.now();
  return await startSession(accounts, caller, { personId, secondFactorAt, passkey: name });
}

function signInOf(browser: string, address: string) {
  return { use: 'sign_in', browser, personId: undefined, address } as const;
}

/** Signs in as the owner of the demo company, which exists only in a sandbox. */
export async function enterDemo(accounts: Accounts, caller: Caller): Promise<Started> {
  const { ctx } = accounts;
  const demo = ctx.channels.isSandbox ? ctx.demo : undefined;
  if (demo === undefined) throw new Problem('not_found');
  const personId = await addDemoOwner(ctx.db, demo.companyId);
  return await startSession(accounts, caller, { personId });
}
