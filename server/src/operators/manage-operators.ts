import type { Accounts } from '../accounts/accounts.ts';
import { dropLinksOf } from '../accounts/letter-link-store.ts';
import { deletePasskeysOf } from '../accounts/passkey-store.ts';
import {
  addByEmail,
  findByContact,
  isBlocked,
  lockPerson,
  readPerson,
  setPasswordHash,
} from '../accounts/person-store.ts';
import { dropNeedlessRecoveryCodes, turnOff } from '../accounts/second-factor-store.ts';
import { insertSecurityEvent } from '../accounts/security-event-store.ts';
import { endAllSessions } from '../accounts/session-store.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { newId, type PersonId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { newToken } from '../token.ts';
import { endOperatorSessionsOf } from './operator-session-store.ts';
import {
  dropWelcome,
  findOperators,
  findWelcome,
  insertOperator,
  replaceWelcome,
  type StoredOperator,
  setRemoved,
  setUnjoined,
  takeWelcome,
  type Welcome,
} from './operator-store.ts';
import { type DeskCaller, type StartedAtDesk, startOperatorSession } from './sign-in.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

/** Has nothing to sign in with: the link sets a password. */
type Welcomed = { outcome: 'welcomed'; token: string; endsAt: Date };

/** `blocked` and `known` change nothing. */
export type Created =
  | { outcome: 'blocked' | 'known' }
  /** Signs in with what they already have. */
  | { outcome: 'signs_in' }
  | Welcomed;

/**
 * Makes somebody an operator. An existing account keeps its password: a link must not take over an
 * account that somebody already signs in to. Called again before the link was used, it makes a new
 * one.
 */
export async function createOperator(
  { db, clock }: Ctx,
  actor: Actor,
  { email, name }: { email: string; name: string },
): Promise<Created> {
  return await db.transaction(async (tx) => {
    const personId = await findOrAddPerson(tx, { id: newId(clock.now().getTime()), email, name });
    if (await isBlocked(tx, personId)) return { outcome: 'blocked' };
    const { hasPassword, hasPasskey } = await readPerson(tx, personId);
    const hasJoined = hasPassword || hasPasskey;
    if (!(await insertOperator(tx, { personId, hasJoined }))) return { outcome: 'known' };
    // A sign-in that was under way when the operator was removed may have left a session.
    await endOperatorSessionsOf(tx, personId);
    const created: Created = hasJoined ? { outcome: 'signs_in' } : await welcome(tx, personId);
    await recordOperatorAct(tx, actor, { action: 'operator.created', object: email });
    return created;
  });
}

async function welcome(tx: Transaction, personId: PersonId): Promise<Welcomed> {
  const { token, hash: tokenHash } = newToken();
  const { endsAt } = await replaceWelcome(tx, { personId, tokenHash });
  return { outcome: 'welcomed', token, endsAt };
}

async function findOrAddPerson(
  tx: Transaction,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<PersonId> {
  const added = await addByEmail(tx, { id, email, name, passwordHash: null, language: null });
  return added ?? ((await findByContact(tx, { email })) as { personId: PersonId }).personId;
}

/** Ends every session at the desk at once. False when nobody with this address is an operator. */
export async function removeOperator(
  { db }: Ctx,
  actor: Actor,
  { email }: { email: string },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const person = await findByContact(tx, { email });
    if (person === undefined || !(await setRemoved(tx, person.personId))) return false;
    await dropWelcome(tx, person.personId);
    await endOperatorSessionsOf(tx, person.personId);
    await recordOperatorAct(tx, actor, { action: 'operator.removed', object: email });
    return true;
  });
}

/**
 * For an operator who cannot prove any more who they are. Everything that they sign in with is
 * removed, in the cabinet too, and their sessions end: a password alone must not be enough to set up
 * a new second factor.
 */
export async function resetOperator(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { email }: { email: string },
): Promise<{ outcome: 'unknown' } | { outcome: 'blocked' } | Welcomed> {
  return await db.transaction(async (tx) => {
    const person = await findByContact(tx, { email });
    if (person === undefined) return { outcome: 'unknown' };
    const { personId } = person;
    // A second factor that is being added waits, and then finds its session ended.
    await lockPerson(tx, personId);
    if (await isBlocked(tx, personId)) return { outcome: 'blocked' };
    if (!(await setUnjoined(tx, personId))) return { outcome: 'unknown' };
    await turnOff(tx, personId);
    await deletePasskeysOf(tx, personId);
    await dropNeedlessRecoveryCodes(tx, personId);
    await setPasswordHash(tx, personId, null);
    await dropLinksOf(tx, personId);
    await endAllSessions(tx, personId);
    await insertSecurityEvent(tx, { personId, kind: 'second_factor_off' });
    const welcomed = await welcome(tx, personId);
    await recordOperatorAct(tx, actor, { action: 'operator.reset', object: email });
    return welcomed;
  });
}

/** Everybody who is or was an operator, the oldest first. */
export async function listOperators({ db }: Pick<Context, 'db'>): Promise<StoredOperator[]> {
  return await findOperators(db);
}

/** Whom a welcome link is for. */
export async function readWelcome({ db }: Pick<Context, 'db'>, token: string): Promise<Welcome> {
  const welcome = await findWelcome(db, token);
  if (welcome === undefined) throw new Problem('link_ended');
  return welcome;
}

/**
 * Uses a welcome link up, sets the password and ends every other session of the person. The session
 * is half: a second factor comes next.
 */
export async function joinAsOperator(
  accounts: Accounts,
  { token, password }: { token: string; password: string },
  caller: DeskCaller,
): Promise<StartedAtDesk> {
  const { ctx, passwords } = accounts;
  const { address } = caller;
  // A hash is expensive, so the link is checked first.
  const person = await readWelcome(ctx, token);
  await passwords.refuseGuessable({ password, person, address });
  const hash = await passwords.hash({ password, address });
  const personId = await ctx.db.transaction(async (tx) => {
    const joined = await takeWelcome(tx, token);
    if (joined === undefined) throw new Problem('link_ended');
    await setPasswordHash(tx, joined.personId, hash);
    await dropLinksOf(tx, joined.personId);
    await endAllSessions(tx, joined.personId);
    const actor = { person: { id: joined.personId, name: joined.name }, origin: caller };
    await recordOperatorAct(tx, actor, { action: 'operator.joined', object: person.email });
    return joined.personId;
  });
  return await startOperatorSession(accounts, caller, { personId, isProven: false });
}
