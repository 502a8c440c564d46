import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';
import { hashOfToken } from '../token.ts';
import type { CurrentUser } from './current-user.ts';

/**
 * Valid for as long as it was opened for, and no longer than the session of the desk that opened it
 * could be used there.
 */
export const VIEW_IS_LIVE = `v.ends_at > clock_timestamp() and s.ends_at > clock_timestamp()
  and s.seen_at > clock_timestamp() - interval '1 hour' and s.proven_at is not null
  and o.joined_at is not null and o.removed_at is null and p.blocked_at is null
  and exists (select from person_with_second_factor f where f.person_id = p.id)`;
export const VIEW_TABLES = `company_view v join operator_session s on s.id = v.operator_session_id
  join operator o on o.person_id = s.person_id join person p on p.id = o.person_id`;

type ViewRow = {
  id: string;
  person_id: PersonId;
  name: string;
  company_id: CompanyId;
  suspended_because: string | null;
  ends_at: Date;
};

/** The operator who looks at a cabinet, as its user: with the eyes of a viewer. */
export async function findViewByToken(sql: Sql, token: string): Promise<CurrentUser | undefined> {
  const [row] = await sql.query<ViewRow>(
    `select v.id, p.id as person_id, p.name, v.company_id, c.suspended_because, v.ends_at
     from ${VIEW_TABLES} join company c on c.id = v.company_id
     where v.token_hash = $1 and ${VIEW_IS_LIVE}`,
    [hashOfToken(token)],
    'find-view',
  );
  return (
    row && {
      personId: row.person_id,
      sessionId: row.id,
      name: row.name,
      membership: {
        companyId: row.company_id,
        role: 'viewer',
        suspendedBecause: row.suspended_because ?? undefined,
        requiresSecondFactor: false,
      },
      hasSecondFactor: true,
      // Nothing that needs a proof is open to a view.
      confirmedAt: new Date(0),
      provenAt: undefined,
      viewUntil: row.ends_at,
    }
  );
}

/**
 * In place of the view that this session of the desk had before. Undefined when the session has ended
 * meanwhile.
 */
export async function replaceView(
  sql: Sql,
  view: {
    id: string;
    tokenHash: Buffer;
    operatorSessionId: string;
    companyId: CompanyId;
    minutes: number;
  },
): Promise<{ endsAt: Date } | undefined> {
  await sql.query('delete from company_view where operator_session_id = $1', [
    view.operatorSessionId,
  ]);
  const [row] = await sql.query<{ endsAt: Date }>(
    `insert into company_view (id, token_hash, operator_session_id, company_id, ends_at)
     select $1, $2, s.id, $4, least(s.ends_at, clock_timestamp() + make_interval(mins => $5))
     from operator_session s where s.id = $3
     returning ends_at as "endsAt"`,
    [view.id, view.tokenHash, view.operatorSessionId, view.companyId, view.minutes],
  );
  return row;
}

export async function endViewByToken(sql: Sql, token: string): Promise<void> {
  await sql.query('delete from company_view where token_hash = $1', [hashOfToken(token)]);
}
