import type { Sql } from '../db/sql.ts';

export type Allowance = { subject: Buffer; max: number; seconds: number };

/**
 * Takes one of the attempts that a subject has within the time, or returns the seconds until the
 * next one. Decided on the row itself, so that concurrent calls cannot exceed the limit.
 */
export async function takeAttempt(
  sql: Sql,
  { subject, max, seconds }: Allowance,
): Promise<{ waitSeconds: number }> {
  const rows = await sql.query<{ wait: number }>(
    `with taken as (
       insert into sign_in_limit as l (subject, recent) values ($1, array[clock_timestamp()])
       on conflict (subject) do update set recent = array(
           select t from unnest(l.recent) t where t > clock_timestamp() - make_interval(secs => $3)
         ) || clock_timestamp()
         where (select count(*) from unnest(l.recent) t
           where t > clock_timestamp() - make_interval(secs => $3)) < $2
       returning 0 as wait
     )
     select wait from taken
     union all
     select greatest(1, ceil(extract(epoch from coalesce(min(t), clock_timestamp()) - clock_timestamp()) + $3))::int
     from sign_in_limit l, unnest(l.recent) t
     where not exists (select from taken) and subject = $1 and t > clock_timestamp() - make_interval(secs => $3)`,
    [subject, max, seconds],
  );
  return { waitSeconds: rows[0]?.wait ?? seconds };
}

/** Gives the latest attempt back, because it was not made. */
export async function returnAttempt(sql: Sql, subject: Buffer): Promise<void> {
  await sql.query(
    'update sign_in_limit set recent = recent[:cardinality(recent) - 1] where subject = $1',
    [subject],
  );
}

/** Resets the count after a success. */
export async function forgetAttempts(sql: Sql, subject: Buffer): Promise<void> {
  await sql.query('delete from sign_in_limit where subject = $1', [subject]);
}
