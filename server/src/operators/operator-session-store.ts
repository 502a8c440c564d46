import type { PersonInSession } from '../accounts/current-user.ts';
import type { Sql } from '../db/sql.ts';
import type { PersonId } from '../ids.ts';
import { hashOfToken } from '../token.ts';
import type { CurrentOperator } from './current-operator.ts';

/** A session ends this long after it was last used. */
const IDLE_SECONDS = 3600;
/** And this long after it began, even when it is in use. */
export const ABSOLUTE_SECONDS = 12 * 3600;
/** How long it may stay without a second factor: an app for codes may have to be installed first. */
const HALF_SECONDS = 30 * 60;
/** The precision of the time of last use. */
const SEEN_STEP_SECONDS = 60;

const ago = (seconds: number) => `clock_timestamp() - interval '${seconds} seconds'`;
const IS_LIVE = `s.ends_at > clock_timestamp() and s.seen_at > ${ago(IDLE_SECONDS)}
  and (s.proven_at is not null or s.created_at > ${ago(HALF_SECONDS)})`;

type OperatorRow = {
  session_id: string;
  person_id: PersonId;
  name: string;
  has_second_factor: boolean;
  proven_at: Date | null;
};

/** Finds the operator of a session and records its use, in one round trip. */
export async function findOperatorByToken(
  sql: Sql,
  token: string,
): Promise<CurrentOperator | undefined> {
  const [row] = await sql.query<OperatorRow>(
    `with live as (
       select s.id as session_id, p.id as person_id, p.name, s.proven_at, s.seen_at,
         exists (select from person_with_second_factor f where f.person_id = p.id) as has_second_factor
       from operator_session s
       join operator o on o.person_id = s.person_id and o.joined_at is not null and o.removed_at is null
       join person p on p.id = o.person_id and p.blocked_at is null
       where s.token_hash = $1 and ${IS_LIVE}
     ), seen as (
       update operator_session set seen_at = clock_timestamp()
       from live where operator_session.id = live.session_id and live.seen_at < ${ago(SEEN_STEP_SECONDS)}
     )
     select * from live`,
    [hashOfToken(token)],
    'find-operator',
  );
  return (
    row && {
      personId: row.person_id,
      sessionId: row.session_id,
      name: row.name,
      hasSecondFactor: row.has_second_factor,
      provenAt: row.proven_at ?? undefined,
    }
  );
}

export async function insertOperatorSession(
  sql: Sql,
  session: {
    id: string;
    tokenHash: Buffer;
    personId: PersonId;
    address: string;
    device: string;
    isProven: boolean;
  },
): Promise<void> {
  await sql.query(
    `insert into operator_session (id, token_hash, person_id, address, device, ends_at, proven_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + interval '${ABSOLUTE_SECONDS} seconds',
       case when $6 then clock_timestamp() end)`,
    [
      session.id,
      session.tokenHash,
      session.personId,
      session.address,
      session.device,
      session.isProven,
    ],
  );
}

export async function recordOperatorProof(sql: Sql, { sessionId }: PersonInSession): Promise<void> {
  await sql.query('update operator_session set proven_at = clock_timestamp() where id = $1', [
    sessionId,
  ]);
}

export async function endOperatorSession(sql: Sql, token: string): Promise<void> {
  await sql.query('delete from operator_session where token_hash = $1', [hashOfToken(token)]);
}

export async function endOperatorSessionsOf(sql: Sql, personId: PersonId): Promise<void> {
  await sql.query('delete from operator_session where person_id = $1', [personId]);
}
