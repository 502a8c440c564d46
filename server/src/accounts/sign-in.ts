import { newId } from '../ids.ts';
import { maskPhone, parsePhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import type { Accounts } from './accounts.ts';
import { countAttempt, endAttempts } from './attempts.ts';
import {
  addDemoOwner,
  type Credentials,
  findCredentials,
  findOrAddByPhone,
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
  const { ctx, passwords } = accounts;
  const email = typed.email.toLowerCase();
  const attempts = { what: 'password', account: email, address: caller.address } as const;
  let known: Credentials | undefined;
  const isRight = await passwords.verify({
    password: typed.password,
    address: caller.address,
    async findHash() {
      await countAttempt(accounts, attempts);
      known = await findCredentials(ctx.db, email);
      return known?.hash;
    },
  });
  if (known === undefined || !isRight) throw new Problem('wrong_credentials');
  const started = await startSession(accounts, caller, { personId: known.personId });
  await endAttempts(ctx, attempts);
  return started;
}

/** A new phone gets its account with the first right code. */
export async function signInByPhone(
  accounts: Accounts,
  typed: { phone: string; code: string; browser: string },
  caller: Caller,
): Promise<Started> {
  const { ctx } = accounts;
  const { address } = caller;
  const account = parsePhone(typed.phone)?.phone ?? '';
  await countAttempt(accounts, { what: 'phone_guess', account, address });
  const phone = await checkPhoneCode(accounts, { ...typed, use: 'cabinet' });
  const id = newId(ctx.clock.now().getTime());
  const personId = await findOrAddByPhone(ctx.db, { id, phone, name: maskPhone(phone) });
  return await startSession(accounts, caller, { personId });
}

/** The second step: replaces the incomplete session of the first step with a complete one. */
export async function signInSecond(
  accounts: Accounts,
  proof: SecondProof,
  caller: Caller,
): Promise<Started> {
  const { ctx } = accounts;
  const token = readSessionToken(ctx.config, caller.cookie);
  const half = token && (await findHalfSignedIn(ctx.db, token));
  if (!half) throw new Problem('not_signed_in');
  await checkSecondFactor(accounts, { ...half, address: caller.address }, proof);
  const secondFactorAt = ctx.clock.now();
  return await startSession(accounts, caller, { personId: half.personId, secondFactorAt });
}

/** Signs in as the owner of the demo company, which exists only in a sandbox. */
export async function enterDemo(accounts: Accounts, caller: Caller): Promise<Started> {
  const { ctx } = accounts;
  const demo = ctx.channels.isSandbox ? ctx.demo : undefined;
  if (demo === undefined) throw new Problem('not_found');
  const personId = await addDemoOwner(ctx.db, demo.companyId);
  return await startSession(accounts, caller, { personId });
}
