import type { NewPasskeyAnswer, PasskeyAnswer } from '@zhiber/contract/cabinet/credentials.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { EventOrigin } from '../accounts/notices.ts';
import {
  addPasskey,
  challengePasskey,
  checkPasskey,
  type PasskeyOptions,
} from '../accounts/passkeys.ts';
import { isBlocked, type Person, readPerson } from '../accounts/person-store.ts';
import {
  checkSecondFactor,
  confirmSecondFactor,
  type SecondProof,
} from '../accounts/second-factor.ts';
import { hasSecondFactor } from '../accounts/second-factor-store.ts';
import { insertSecurityEvent } from '../accounts/security-event-store.ts';
import { readSessionToken, sessionCookie } from '../accounts/session-cookie.ts';
import type { Caller } from '../accounts/sessions.ts';
import { checkEmailAndPassword } from '../accounts/sign-in.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import { newId, type PersonId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { newToken } from '../token.ts';
import { type CurrentOperator, isComplete } from './current-operator.ts';
import {
  ABSOLUTE_SECONDS,
  endOperatorSession,
  findOperatorByToken,
  insertOperatorSession,
  recordOperatorProof,
} from './operator-session-store.ts';
import { findOperatorCredentials, isOperator } from './operator-store.ts';

/** The browser of a sign-in, and the request for the audit log. */
export type DeskCaller = Caller & { requestId: string };

export type StartedAtDesk = {
  /** The Set-Cookie header. */
  cookie: string;
  /** The step that is missing; until it is done the session opens nothing else. */
  missing: 'second_factor_required' | 'second_factor_needed' | undefined;
};

/** Undefined when there is no valid session of an operator. */
export async function findOperator(
  { config, db }: Pick<Context, 'config' | 'db'>,
  cookie: string | undefined,
): Promise<CurrentOperator | undefined> {
  const token = readSessionToken(config, cookie, 'desk');
  return token === undefined ? undefined : await findOperatorByToken(db, token);
}

/**
 * Signs in an operator whose identity is proven: starts a session and ends the previous one of this
 * browser. Every sign-in goes through here.
 */
export async function startOperatorSession(
  { ctx }: Accounts,
  caller: DeskCaller,
  { personId, isProven, passkey }: { personId: PersonId; isProven: boolean; passkey?: string },
): Promise<StartedAtDesk> {
  if (await isBlocked(ctx.db, personId)) throw new Problem('person_blocked');
  const { token, hash: tokenHash } = newToken();
  const { address, device } = caller;
  const previous = readSessionToken(ctx.config, caller.cookie, 'desk');
  const { name, email } = await readPerson(ctx.db, personId);
  await ctx.db.transaction(async (tx) => {
    const id = newId(ctx.clock.now().getTime());
    await insertOperatorSession(tx, { id, tokenHash, personId, address, device, isProven });
    if (previous !== undefined) await endOperatorSession(tx, previous);
    if (!isProven) return;
    const event = { personId, kind: 'signed_in', detail: passkey, origin: caller } as const;
    await insertSecurityEvent(tx, event);
    const actor: Actor = { person: { id: personId, name }, origin: caller };
    await recordOperatorAct(tx, actor, { action: 'operator.signed_in', object: email ?? name });
  });
  const cookie = sessionCookie(ctx.config, { token, seconds: ABSOLUTE_SECONDS }, 'desk');
  if (isProven) return { cookie, missing: undefined };
  const hasFactor = await hasSecondFactor(ctx.db, personId);
  return { cookie, missing: hasFactor ? 'second_factor_required' : 'second_factor_needed' };
}

/**
 * An unknown address, one of somebody who is no operator, and a wrong password give the same answer,
 * after the same work.
 */
export async function signInOperator(
  accounts: Accounts,
  typed: { email: string; password: string },
  caller: DeskCaller,
): Promise<StartedAtDesk> {
  return await checkEmailAndPassword(
    accounts,
    { ...typed, address: caller.address },
    {
      findCredentials: findOperatorCredentials,
      enter: (personId) => startOperatorSession(accounts, caller, { personId, isProven: false }),
    },
  );
}

/** Signs out. Returns a cookie that removes the session from the browser. */
export async function signOutOperator(
  { ctx }: Pick<Accounts, 'ctx'>,
  { cookie }: { cookie: string | undefined },
): Promise<string> {
  const token = readSessionToken(ctx.config, cookie, 'desk');
  if (token !== undefined) await endOperatorSession(ctx.db, token);
  return sessionCookie(ctx.config, { seconds: 0 }, 'desk');
}

/** The session of the first step, which waits for the second factor that its person has. */
async function readHalfSession(
  { ctx }: Accounts,
  { cookie }: Pick<Caller, 'cookie'>,
): Promise<CurrentOperator> {
  const operator = await findOperator(ctx, cookie);
  if (!operator?.hasSecondFactor || isComplete(operator)) throw new Problem('not_signed_in');
  return operator;
}

/** What the second step can be done with. */
export async function listOperatorFactors(
  accounts: Accounts,
  caller: Pick<Caller, 'cookie'>,
): Promise<Pick<Person, 'hasCodeApp' | 'hasPasskey'>> {
  const { personId } = await readHalfSession(accounts, caller);
  return await readPerson(accounts.ctx.db, personId);
}

/** The second step: replaces the half session of the first step with a complete one. */
export async function signInOperatorSecond(
  accounts: Accounts,
  proof: SecondProof,
  caller: DeskCaller,
): Promise<StartedAtDesk> {
  const { personId } = await readHalfSession(accounts, caller);
  const { address, device } = caller;
  await checkSecondFactor(accounts, { personId, address, device }, proof);
  return await startOperatorSession(accounts, caller, { personId, isProven: true });
}

export async function startOperatorSecondStep(
  accounts: Accounts,
  caller: DeskCaller,
): Promise<PasskeyOptions> {
  const half = await readHalfSession(accounts, caller);
  return await challengePasskey(accounts, secondStepOf(half, caller));
}

/** The second step with a passkey of the person who has done the first. */
export async function signInOperatorSecondByPasskey(
  accounts: Accounts,
  answer: PasskeyAnswer,
  caller: DeskCaller,
): Promise<StartedAtDesk> {
  const half = await readHalfSession(accounts, caller);
  const asked = secondStepOf(half, caller);
  const { personId, name: passkey } = await checkPasskey(accounts, answer, asked);
  return await startOperatorSession(accounts, caller, { personId, isProven: true, passkey });
}

function secondStepOf({ sessionId, personId }: CurrentOperator, { address }: Caller) {
  return { use: 'second_step', browser: sessionId, personId, address } as const;
}

/** A challenge for whoever has a passkey, bound to the browser by a token that it alone gets. */
export async function startOperatorPasskey(
  accounts: Accounts,
  { address }: { address: string },
): Promise<{ options: PasskeyOptions; requestToken: string }> {
  const { token: browser } = newToken();
  const options = await challengePasskey(accounts, signInOf(browser, address));
  return { options, requestToken: browser };
}

/** A passkey is both factors. That of somebody who is no operator is refused as any other. */
export async function signInOperatorByPasskey(
  accounts: Accounts,
  { answer, browser }: { answer: PasskeyAnswer; browser: string },
  caller: DeskCaller,
): Promise<StartedAtDesk> {
  const asked = signInOf(browser, caller.address);
  const { personId, name: passkey } = await checkPasskey(accounts, answer, asked);
  if (!(await isOperator(accounts.ctx.db, personId))) throw new Problem('passkey_refused');
  return await startOperatorSession(accounts, caller, { personId, isProven: true, passkey });
}

function signInOf(browser: string, address: string) {
  return { use: 'desk_sign_in', browser, personId: undefined, address } as const;
}

type Proof = { passkey?: PasskeyAnswer | undefined } & (
  | SecondProof
  | { code: undefined; isRecoveryCode: boolean }
);

/** Proves again who is there, with the second factor or a passkey and nothing weaker. */
export async function confirmOperator(
  accounts: Accounts,
  operator: CurrentOperator,
  { code, isRecoveryCode, passkey, origin }: Proof & { origin: EventOrigin },
): Promise<void> {
  const { personId } = operator;
  const { address, device } = origin;
  if (passkey !== undefined) {
    await checkPasskey(accounts, passkey, proofOf(operator, address));
  } else if (code !== undefined) {
    await checkSecondFactor(accounts, { personId, address, device }, { code, isRecoveryCode });
  } else {
    throw new Problem('validation_error', { errors: { code: ['Обязательное поле'] } });
  }
  await recordOperatorProof(accounts.ctx.db, operator);
}

/** A challenge to prove it with a passkey. */
export async function startOperatorProof(
  accounts: Accounts,
  operator: CurrentOperator,
  { address }: { address: string },
): Promise<PasskeyOptions> {
  return await challengePasskey(accounts, proofOf(operator, address));
}

function proofOf({ sessionId, personId }: CurrentOperator, address: string) {
  return { use: 'proof', browser: sessionId, personId, address } as const;
}

/** Turns the app with codes on and completes the session. Returns the recovery codes. */
export async function addCodeApp(
  accounts: Accounts,
  operator: CurrentOperator,
  { code, origin }: { code: string; origin: EventOrigin },
): Promise<string[]> {
  return await confirmSecondFactor(accounts, operator, {
    code,
    origin,
    write: (tx) => recordOperatorAct(tx, actorOf(operator, origin), factorAdded(operator)),
  });
}

/** Adds a passkey and completes the session. Returns recovery codes, if it is the first factor. */
export async function addOperatorPasskey(
  accounts: Accounts,
  operator: CurrentOperator,
  given: { name: string; answer: NewPasskeyAnswer; origin: EventOrigin },
): Promise<string[]> {
  return await addPasskey(accounts, operator, {
    ...given,
    write: (tx) => recordOperatorAct(tx, actorOf(operator, given.origin), factorAdded(operator)),
  });
}

function factorAdded({ name }: CurrentOperator) {
  return { action: 'operator.second_factor_added', object: name } as const;
}

/** The actor of a change, as stored in the audit log. */
export function actorOf({ personId, name }: CurrentOperator, origin: EventOrigin): Actor {
  return { person: { id: personId, name }, origin };
}

/** A person as the desk shows them to themselves. */
export async function readOperator(
  { db }: Pick<Context, 'db'>,
  { personId }: CurrentOperator,
): Promise<Person> {
  return await readPerson(db, personId);
}
