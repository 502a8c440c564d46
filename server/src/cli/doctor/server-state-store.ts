import type { Sql } from '../../db/sql.ts';
import type { Timeline } from '../../installation/timeline.ts';
import { readTimeline } from '../../installation/timeline-store.ts';

/** How the PostgreSQL server is set up, as far as it matters here. */
export type ServerState = {
  isStandby: boolean;
  /** Undefined on a standby, and for a role that may not ask. */
  timeline: Timeline | undefined;
  /** By name, in milliseconds where it is a time; null where the server is too old to have it. */
  settings: Record<(typeof SETTINGS)[number], string | null>;
  /** A role that may not read all statistics does not know which are synchronous. */
  standbys: { name: string; isSync: boolean | null; heldTransactions: number }[];
  /** Slots that keep the log of the database for somebody who does not read it. */
  unreadSlots: { name: string; keptMb: number }[];
  /** How many connections this role may have at once in this database. */
  connectionsMax: number;
};

const SETTINGS = [
  'default_transaction_isolation',
  'default_transaction_read_only',
  'idle_session_timeout',
  'synchronous_standby_names',
  'transaction_timeout',
  'wal_sender_timeout',
] as const;

export async function readServerState(sql: Sql): Promise<ServerState> {
  const rows = await sql.query<{ name: (typeof SETTINGS)[number]; value: string }>(
    `select name, setting as value from pg_settings where name = any($1)`,
    [SETTINGS],
  );
  const found = new Map(rows.map(({ name, value }) => [name, value]));
  const [own] = await sql.query<{ isStandby: boolean; connectionsMax: number }>(
    `select pg_is_in_recovery() as "isStandby",
       least(
         current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
           - coalesce(current_setting('reserved_connections', true)::integer, 0),
         (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
         (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
       ) as "connectionsMax"`,
  );
  return {
    isStandby: own?.isStandby ?? false,
    connectionsMax: own?.connectionsMax ?? 0,
    timeline: await readTimeline(sql),
    settings: Object.fromEntries(
      SETTINGS.map((name) => [name, found.get(name) ?? null]),
    ) as ServerState['settings'],
    standbys: await sql.query(
      `select coalesce(nullif(application_name, ''), 'a standby') as name,
         sync_state in ('sync', 'quorum') as "isSync",
         coalesce(age(backend_xmin), 0) as "heldTransactions"
       from pg_stat_replication order by name`,
    ),
    unreadSlots: await sql.query(
      `select slot_name as name, (case when pg_is_in_recovery() then 0
         else pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) / 1000000 end)::integer as "keptMb"
       from pg_replication_slots where not active and restart_lsn is not null order by slot_name`,
    ),
  };
}
