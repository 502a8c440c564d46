import type { Component } from '@zhiber/contract/admin/incidents.ts';
import type { MeasureSource, StatusDay } from '@zhiber/contract/pages/status.ts';
import type { Sql } from '../db/sql.ts';
import type { MinuteCount } from '../runtime/minute-counts.ts';

export type StoredMinute = {
  minute: Date;
  component: Component;
  source: MeasureSource;
  good: number;
  bad: number;
};

const INSERT_MINUTES = `insert into status_minute as m (minute, component, source, good, bad)
  select minute, component, source, good, bad from jsonb_to_recordset($1)
    as i(minute timestamptz, component text, source text, good integer, bad integer)
  -- Nodes that write at once take the rows in the same order.
  order by minute, component, source
  on conflict (minute, component, source) do update`;

/** Adds what one node has counted. */
export async function addMinutes(
  sql: Sql,
  counts: readonly MinuteCount<Component, MeasureSource>[],
): Promise<void> {
  await sql.query(
    `${INSERT_MINUTES} set good = m.good + excluded.good, bad = m.bad + excluded.bad`,
    [toRecords(counts)],
    'add-status-minutes',
  );
}

/** Stores counts that are complete: storing them once more changes nothing. */
export async function setMinutes(
  sql: Sql,
  counts: readonly MinuteCount<Component, MeasureSource>[],
): Promise<void> {
  await sql.query(
    `${INSERT_MINUTES} set good = excluded.good, bad = excluded.bad
     where (m.good, m.bad) is distinct from (excluded.good, excluded.bad)`,
    [toRecords(counts)],
  );
}

function toRecords(counts: readonly MinuteCount<Component, MeasureSource>[]): string {
  return JSON.stringify(
    counts.map(({ minuteMs, name, source, good, bad }) => ({
      minute: new Date(minuteMs).toISOString(),
      component: name,
      source,
      good,
      bad,
    })),
  );
}

export async function findMinutes(
  sql: Sql,
  { from, until }: { from: Date; until: Date },
): Promise<StoredMinute[]> {
  return await sql.query<StoredMinute>(
    'select minute, component, source, good, bad from status_minute where minute >= $1 and minute < $2',
    [from, until],
    'find-status-minutes',
  );
}

export type StoredDay = StatusDay & { component: Component };

export async function saveDays(sql: Sql, days: readonly StoredDay[]): Promise<void> {
  await sql.query(
    `insert into status_day (day, component, measured, degraded, partial, major, maintenance)
     select * from jsonb_to_recordset($1) as i(day date, component text, measured integer, degraded integer,
       partial integer, major integer, maintenance integer)
     on conflict (day, component) do update set measured = excluded.measured, degraded = excluded.degraded,
       partial = excluded.partial, major = excluded.major, maintenance = excluded.maintenance`,
    [JSON.stringify(days)],
  );
}

/** From a day such as `2026-10-12` on. */
export async function findDays(sql: Sql, from: string): Promise<StoredDay[]> {
  return await sql.query<StoredDay>(
    `select day::text as day, component, measured, degraded, partial, major, maintenance
     from status_day where day >= $1`,
    [from],
    'find-status-days',
  );
}

export type StoredMaintenance = { components: Component[]; from: Date; until: Date };

/** Public maintenance that overlaps a span. One that was finished earlier ended then. */
export async function findMaintenance(
  sql: Sql,
  { from, until }: { from: Date; until: Date },
): Promise<StoredMaintenance[]> {
  return await sql.query<StoredMaintenance>(
    `select components, planned_from as "from", least(planned_until, resolved_at) as until from incident
     where published_at is not null and planned_from < $2 and least(planned_until, resolved_at) > $1`,
    [from, until],
  );
}
