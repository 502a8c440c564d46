import type { SecurityEventKind } from '@zhiber/contract/cabinet/profile.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId, type PersonId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { newToken } from '../token.ts';
import type { Accounts } from './accounts.ts';
import { type CurrentUser, lacksSecondFactor } from './current-user.ts';
import { deviceName } from './device-name.ts';
import { isBlocked } from './person-store.ts';
import { hasSecondFactor } from './second-factor-store.ts';
import { insertSecurityEvent, listSecurityEvents } from './security-event-store.ts';
import { readSessionToken, sessionCookie } from './session-cookie.ts';
import {
  ABSOLUTE_SECONDS,
  endOtherSessions,
  endSessionByToken,
  endSessionOf,
  enterCompany,
  findSessionRoles,
  findSessions,
  insertSession,
} from './session-store.ts';
import { endViewByToken } from './view-store.ts';

/** The browser of a sign-in. */
export type Caller = { cookie: string | undefined; address: string; device: string };

export type Started = {
  /** The Set-Cookie header. */
  cookie: string;
  /** The session is not valid until the second factor is confirmed. */
  isHalf: boolean;
};

type SignedIn = {
  personId: PersonId;
  secondFactorAt?: Date;
  /** The name of the passkey that was used. */
  passkey?: string;
};

/**
 * Signs in a person whose identity is proven: starts a session and ends the previous one of this
 * browser. Every sign-in goes through here.
 */
export async function startSession(
  { ctx }: Accounts,
  caller: Caller,
  { personId, secondFactorAt, passkey }: SignedIn,
): Promise<Started> {
  if (await isBlocked(ctx.db, personId)) throw new Problem('person_blocked');
  const { token, hash } = newToken();
  await insertSession(ctx.db, {
    id: newId(ctx.clock.now().getTime()),
    tokenHash: hash,
    personId,
    address: caller.address,
    device: caller.device,
    secondFactorAt: secondFactorAt ?? null,
  });
  const previous = readSessionToken(ctx.config, caller.cookie);
  if (previous !== undefined) await endSessionByToken(ctx.db, previous);
  const isHalf = secondFactorAt === undefined && (await hasSecondFactor(ctx.db, personId));
  if (!isHalf) {
    const event = { personId, kind: 'signed_in', detail: passkey, origin: caller } as const;
    await insertSecurityEvent(ctx.db, event);
  }
  return { cookie: sessionCookie(ctx.config, { token, seconds: ABSOLUTE_SECONDS }), isHalf };
}

/** Signs out, or ends the view of an operator. Returns a cookie that removes it from the browser. */
export async function endSession({ ctx }: Accounts, caller: Caller): Promise<string> {
  const view = readSessionToken(ctx.config, caller.cookie, 'view');
  if (view !== undefined) {
    await endViewByToken(ctx.db, view);
    return sessionCookie(ctx.config, { seconds: 0 }, 'view');
  }
  const token = readSessionToken(ctx.config, caller.cookie);
  if (token !== undefined) await endSessionByToken(ctx.db, token);
  return sessionCookie(ctx.config, { seconds: 0 });
}

/** Only to a company that the person is a member of. */
export async function switchCompany(
  { db }: Pick<Context, 'db'>,
  user: CurrentUser,
  companyId: CompanyId,
): Promise<void> {
  if (!(await enterCompany(db, user, companyId))) throw new Problem('not_found');
}

type SessionIn = { sessionId: string; companyId: CompanyId };

/**
 * The role of each session's person in a company; none for a session that has ended, or whose
 * person lacks a second factor.
 */
export async function listSessionRoles<Session extends SessionIn>(
  ctx: Pick<Context, 'db' | 'config'>,
  sessions: readonly Session[],
): Promise<Map<Session, Role>> {
  const rows = (await findSessionRoles(ctx.db, sessions)).filter((row) => {
    const membership = { role: row.role, requiresSecondFactor: row.requires_second_factor };
    return !lacksSecondFactor(ctx, { membership, hasSecondFactor: row.has_second_factor });
  });
  const known = new Map(rows.map((row) => [`${row.session_id} ${row.company_id}`, row.role]));
  return new Map(
    sessions.flatMap((session) => {
      const role = known.get(`${session.sessionId} ${session.companyId}`);
      return role === undefined ? [] : [[session, role] as const];
    }),
  );
}

export type OwnSession = {
  id: string;
  device: string;
  address: string | null;
  createdAt: Date;
  seenAt: Date;
  /** The session of this request. */
  isThis: boolean;
};

/** The valid sessions of a person, the last used first. */
export async function listOwnSessions(
  { db }: Pick<Context, 'db'>,
  user: CurrentUser,
): Promise<OwnSession[]> {
  const sessions = await findSessions(db, user.personId);
  return sessions.map((session) => ({
    id: session.id,
    device: deviceName(session.device ?? ''),
    address: session.address || null,
    createdAt: session.created_at,
    seenAt: session.seen_at,
    isThis: session.id === user.sessionId,
  }));
}

export async function endOwnSession(
  { db }: Pick<Context, 'db'>,
  user: CurrentUser,
  id: string,
): Promise<void> {
  if (!(await endSessionOf(db, user.personId, id))) throw new Problem('not_found');
}

export async function endEveryOtherSession(
  { db }: Pick<Context, 'db'>,
  user: CurrentUser,
  origin: { address: string; device: string },
): Promise<void> {
  await endOtherSessions(db, user);
  await insertSecurityEvent(db, { personId: user.personId, kind: 'sessions_ended', origin });
}

const EVENTS_SHOWN = 100;

export type OwnSecurityEvent = {
  at: Date;
  kind: SecurityEventKind;
  detail: string | null;
  device: string | null;
  address: string | null;
};

/** What happened to the sign-in of this person, the newest first. */
export async function listOwnSecurityEvents(
  { db }: Pick<Context, 'db'>,
  { personId }: CurrentUser,
): Promise<OwnSecurityEvent[]> {
  const events = await listSecurityEvents(db, personId, EVENTS_SHOWN);
  return events.map((event) => ({
    ...event,
    device: event.device === null ? null : deviceName(event.device),
  }));
}
