import type { Sql } from '../db/sql.ts';
import type { Timeline } from './timeline.ts';

/** Undefined on a standby, and for a role that may not ask. */
export async function readTimeline(sql: Sql): Promise<Timeline | undefined> {
  const [allowed] = await sql.query<{ yes: boolean }>(
    `select has_function_privilege('pg_control_system()', 'execute') and not pg_is_in_recovery() as yes`,
  );
  if (allowed?.yes !== true) return undefined;
  const rows = await sql.query<{ system: string; timeline: string }>(
    `select system_identifier::text as system, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline
     from pg_control_system()`,
  );
  return rows.map(({ system, timeline }) => ({
    system,
    timeline: Number.parseInt(timeline, 16),
  }))[0];
}
