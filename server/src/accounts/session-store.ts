import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';
import { hashOfToken } from '../token.ts';
import type { CurrentUser, PersonInSession } from './current-user.ts';
import { VIEW_IS_LIVE, VIEW_TABLES } from './view-store.ts';

/** A session ends this long after it was last used. */
const IDLE_SECONDS = 30 * 60;
/** And this long after it began, even when it is in use. */
export const ABSOLUTE_SECONDS = 12 * 3600;
/** How long the second step of a sign-in may take. */
const SECOND_STEP_SECONDS = 10 * 60;
/** The precision of the time of last use. */
const SEEN_STEP_SECONDS = 60;

const ago = (seconds: number) => `clock_timestamp() - interval '${seconds} seconds'`;
const IS_LIVE = `s.seen_at > ${ago(IDLE_SECONDS)} and s.created_at > ${ago(ABSOLUTE_SECONDS)}`;
const HAS_SECOND_FACTOR = `exists (
  select from person_with_second_factor f where f.person_id = s.person_id)`;

type UserRow = {
  session_id: string;
  person_id: PersonId;
  name: string;
  confirmed_at: Date;
  proven_at: Date | null;
  company_id: CompanyId | null;
  role: Role | null;
  suspended_because: string | null;
  requires_second_factor: boolean;
  has_second_factor: boolean;
};

/**
 * Finds the user of a session and records its use, in one round trip. The company is chosen with
 * the first request and then stays: a person removed from it must not end up in another one.
 */
export async function findUserByToken(sql: Sql, token: string): Promise<CurrentUser | undefined> {
  const rows = await sql.query<UserRow>(
    `with live as (
       select s.id, s.person_id, s.confirmed_at, s.proven_at, s.seen_at, ${HAS_SECOND_FACTOR} as has_second_factor, s.company_id, coalesce(s.company_id,
         (select m.company_id from member m where m.person_id = s.person_id
          order by m.joined_at, m.company_id limit 1)) as chosen_id
       from session s
       where s.token_hash = $1 and ${IS_LIVE} and (s.second_factor_at is not null or not ${HAS_SECOND_FACTOR})
     ), seen as (
       update session set seen_at = clock_timestamp(), company_id = live.chosen_id
       from live where session.id = live.id
         and (live.seen_at < ${ago(SEEN_STEP_SECONDS)} or live.company_id is distinct from live.chosen_id)
     )
     select live.id as session_id, p.id as person_id, p.name, live.confirmed_at, live.proven_at, m.company_id, m.role,
       c.suspended_because, c.requires_second_factor, live.has_second_factor
     from live join person p on p.id = live.person_id and p.blocked_at is null
     left join member m on m.person_id = p.id and m.company_id = live.chosen_id
     left join company c on c.id = m.company_id`,
    [hashOfToken(token)],
    'find-user',
  );
  return rows[0] && toUser(rows[0]);
}

function toUser(row: UserRow): CurrentUser {
  const { company_id: companyId, role } = row;
  return {
    personId: row.person_id,
    sessionId: row.session_id,
    name: row.name,
    membership:
      companyId === null || role === null
        ? undefined
        : {
            companyId,
            role,
            suspendedBecause: row.suspended_because ?? undefined,
            requiresSecondFactor: row.requires_second_factor,
          },
    hasSecondFactor: row.has_second_factor,
    confirmedAt: row.confirmed_at,
    provenAt: row.proven_at ?? undefined,
    viewUntil: undefined,
  };
}

export type NewSession = {
  id: string;
  tokenHash: Buffer;
  personId: PersonId;
  address: string;
  device: string;
  secondFactorAt: Date | null;
};

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql.query(
    `insert into session (id, token_hash, person_id, address, device, second_factor_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, clock_timestamp() + interval '${ABSOLUTE_SECONDS} seconds')`,
    [
      session.id,
      session.tokenHash,
      session.personId,
      session.address,
      session.device,
      session.secondFactorAt,
    ],
  );
}

/** The person whose session still needs the second factor. */
export async function findHalfSignedIn(
  sql: Sql,
  token: string,
): Promise<{ sessionId: string; personId: PersonId } | undefined> {
  const rows = await sql.query<{ sessionId: string; personId: PersonId }>(
    `select s.id as "sessionId", s.person_id as "personId" from session s
     where s.token_hash = $1 and s.created_at > ${ago(SECOND_STEP_SECONDS)}
       and s.second_factor_at is null and ${HAS_SECOND_FACTOR}`,
    [hashOfToken(token)],
  );
  return rows[0];
}

export async function endSessionByToken(sql: Sql, token: string): Promise<void> {
  await sql.query('delete from session where token_hash = $1', [hashOfToken(token)]);
}

export type SessionRow = {
  id: string;
  device: string | null;
  address: string | null;
  created_at: Date;
  seen_at: Date;
};

/** The valid sessions of a person, the last used first. */
export async function findSessions(sql: Sql, personId: PersonId): Promise<SessionRow[]> {
  return await sql.query<SessionRow>(
    `select s.id, s.device, s.address, s.created_at, s.seen_at from session s
     where s.person_id = $1 and ${IS_LIVE} and (s.second_factor_at is not null or not ${HAS_SECOND_FACTOR})
     order by s.seen_at desc, s.created_at desc`,
    [personId],
  );
}

export type SessionRole = {
  session_id: string;
  company_id: CompanyId;
  role: Role;
  requires_second_factor: boolean;
  has_second_factor: boolean;
};

/** The roles of people with valid sessions in the given companies; operators only look. */
export async function findSessionRoles(
  sql: Sql,
  sessions: readonly { sessionId: string; companyId: CompanyId }[],
): Promise<SessionRole[]> {
  return await sql.query(
    `select distinct s.id as session_id, m.company_id, m.role, c.requires_second_factor,
       ${HAS_SECOND_FACTOR} as has_second_factor
     from unnest($1::text[], $2::bigint[]) as i(session_id, company_id)
     join session s on s.id = i.session_id
     join member m on m.person_id = s.person_id and m.company_id = i.company_id
     join company c on c.id = m.company_id
     where ${IS_LIVE} and (s.second_factor_at is not null or not ${HAS_SECOND_FACTOR})
     union all
     select v.id, v.company_id, 'viewer', false, true
     from unnest($1::text[], $2::bigint[]) as i(session_id, company_id), ${VIEW_TABLES}
     where v.id = i.session_id and v.company_id = i.company_id and ${VIEW_IS_LIVE}`,
    [sessions.map((one) => one.sessionId), sessions.map((one) => one.companyId)],
    'find-session-roles',
  );
}

/** False when the person has no such session. */
export async function endSessionOf(sql: Sql, personId: PersonId, id: string): Promise<boolean> {
  const rows = await sql.query('delete from session where person_id = $1 and id = $2 returning 1', [
    personId,
    id,
  ]);
  return rows.length === 1;
}

/** In the cabinet and at the operator's desk. */
export async function endAllSessions(tx: Transaction, personId: PersonId): Promise<void> {
  await tx.query(
    `with desk as (delete from operator_session where person_id = $1)
     delete from session where person_id = $1`,
    [personId],
  );
}

/** In the cabinet and at the operator's desk. An id is of one session, there or here. */
export async function endOtherSessions(
  sql: Sql,
  { personId, sessionId }: PersonInSession,
): Promise<void> {
  await sql.query(
    `with desk as (delete from operator_session where person_id = $1 and id <> $2)
     delete from session where person_id = $1 and id <> $2`,
    [personId, sessionId],
  );
}

/** Whether a session, of the cabinet or of the operator's desk, has not been ended by another one. */
export async function isOpenSession(
  tx: Transaction,
  { sessionId }: PersonInSession,
): Promise<boolean> {
  const rows = await tx.query(
    `select from session where id = $1 union all select from operator_session where id = $1`,
    [sessionId],
  );
  return rows.length > 0;
}

/** Marks a session of the cabinet or of the operator's desk as one with a second factor. */
export async function passSecondFactor(
  tx: Transaction,
  { sessionId }: PersonInSession,
): Promise<void> {
  await tx.query(
    `with desk as (update operator_session set proven_at = clock_timestamp() where id = $1)
     update session set second_factor_at = clock_timestamp() where id = $1`,
    [sessionId],
  );
}

export async function recordProof(sql: Sql, { sessionId }: CurrentUser): Promise<void> {
  await sql.query(
    'update session set confirmed_at = clock_timestamp(), proven_at = clock_timestamp() where id = $1',
    [sessionId],
  );
}

/** False when the person is not a member of that company. */
export async function enterCompany(
  sql: Sql,
  { personId, sessionId }: CurrentUser,
  companyId: CompanyId,
): Promise<boolean> {
  const rows = await sql.query(
    `update session s set company_id = m.company_id from member m
     where s.id = $1 and m.person_id = $2 and m.company_id = $3 and s.person_id = m.person_id returning 1`,
    [sessionId, personId, companyId],
  );
  return rows.length === 1;
}
