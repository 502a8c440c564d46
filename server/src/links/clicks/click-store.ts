import type { GroupStatement, Sql } from '../../db/group-commit.ts';
import type { CompanyId } from '../../ids.ts';
import type { FoundLink } from '../link-store.ts';

export const CLICK_RANGES = ['24h', '7d', '30d', 'all'] as const;
export type ClickRange = (typeof CLICK_RANGES)[number];

/** Clicks are written in groups; the person who clicked does not wait. */
const recording = (who: {
  name: string;
  isRobot: boolean;
  waitingMax: number;
}): GroupStatement<FoundLink, void> => ({
  name: who.name,
  itemsMax: 2_048,
  waitingMax: who.waitingMax,
  // Well under the second within which no click may be lost.
  gatherMs: 50,
  async run(sql, links) {
    await sql.query(
      `insert into click (folded, company_id, message_id, recipient, at, is_robot)
       select i.*, clock_timestamp(), $5
       from unnest($1::text[], $2::bigint[], $3::uuid[], $4::bigint[]) as i`,
      [
        links.map((link) => link.folded),
        links.map((link) => link.company_id),
        links.map((link) => link.message_id),
        links.map((link) => link.recipient),
        who.isRobot,
      ],
      'record-clicks',
    );
    return links.map(() => undefined);
  },
});

export const recordPeople = recording({
  name: 'record click',
  isRobot: false,
  waitingMax: 100_000,
});
// A queue of their own, and a short one: however many robots come, no person's click is pushed out.
export const recordRobots = recording({ name: 'record robot', isRobot: true, waitingMax: 8_192 });

/**
 * Clicks past the sums of a link that are counted one by one; a link with more of them is added up
 * first.
 */
export const TAIL_MAX = 5_000;

const ZONE = `'Asia/Almaty'`;
const TODAY = `date_trunc('day', clock_timestamp() at time zone ${ZONE})`;

/** Where a range begins: on the hour, or with a day of Almaty, today's being the last. */
const startOf = (range: string) => `(case ${range}
  when '24h' then date_trunc('hour', clock_timestamp()) - interval '23 hours'
  when '7d' then (${TODAY} - interval '6 days') at time zone ${ZONE}
  when '30d' then (${TODAY} - interval '29 days') at time zone ${ZONE}
  else '-infinity' end)`;

export type ClickCount = {
  folded: string;
  /** In the range. */
  people: number;
  robots: number;
  /** At any time. */
  people_ever: number;
  first_at: Date | null;
  last_at: Date | null;
  /** False: these are the first of more. */
  is_whole: boolean;
};

/** The clicks of many links: the sums of their hours, and what has come since. */
export async function readClickCounts(
  sql: Sql,
  companyId: CompanyId,
  { names, range }: { names: readonly string[]; range: ClickRange },
): Promise<ClickCount[]> {
  return await sql.query<ClickCount>(
    `with wanted as materialized (
       select folded, coalesce(clicks_until, '-infinity') as until, ${startOf('$3::text')} as start
       from link where company_id = $1 and folded = any ($2))
     select folded, sums.people + tail.people as people, sums.robots + tail.robots as robots,
       sums.people_ever + tail.people_ever as people_ever, least(sums.first_at, tail.first_at) as first_at,
       greatest(sums.last_at, tail.last_at) as last_at, tail.size <= ${TAIL_MAX} as is_whole
     from wanted w
     cross join lateral (
       select coalesce(sum(people) filter (where hour >= w.start), 0) as people,
         coalesce(sum(robots) filter (where hour >= w.start), 0) as robots,
         coalesce(sum(people), 0) as people_ever, min(first_at) as first_at, max(last_at) as last_at
       from click_hour h where h.company_id = $1 and h.folded = w.folded) as sums
     cross join lateral (
       select count(*) filter (where not is_robot and at >= w.start) as people,
         count(*) filter (where is_robot and at >= w.start) as robots,
         count(*) filter (where not is_robot) as people_ever, min(at) filter (where not is_robot) as first_at,
         max(at) filter (where not is_robot) as last_at, count(*) as size
       from (select c.at, c.is_robot from click c
         where c.company_id = $1 and c.folded = w.folded and c.at >= w.until limit ${TAIL_MAX + 1}) as c
       ) as tail`,
    [companyId, names, range],
  );
}

/** Adds up the next clicks of a link. True when there are more. */
export async function addUpClicks(
  sql: Sql,
  companyId: CompanyId,
  { folded, clicksMax }: { folded: string; clicksMax: number },
): Promise<boolean> {
  const rows = await sql.query<{ has_more: boolean }>(
    'select add_up_clicks($1, $2, $3) as has_more',
    [companyId, folded, clicksMax],
  );
  return rows[0]?.has_more === true;
}

export type ClickBucket = { at: Date; people: number; robots: number };

/**
 * Clicks of one link over time, empty stretches too: hours of the last day, or days of Almaty. All
 * of them begin with the given moment.
 */
export async function readClickBuckets(
  sql: Sql,
  companyId: CompanyId,
  { folded, range, since }: { folded: string; range: ClickRange; since: Date },
): Promise<ClickBucket[]> {
  return await sql.query<ClickBucket>(
    `with span as (
       select case when $3 = '24h' then 'hour' else 'day' end as unit,
         greatest(${startOf('$3::text')}, case when $3 = 'all' then $4::timestamptz end) as start),
     clicked as (
       select h.hour as at, h.people, h.robots from click_hour h
       where h.company_id = $1 and h.folded = $2
       union all
       select t.at, (not t.is_robot)::integer, t.is_robot::integer
       from (select c.at, c.is_robot from link l join click c
         on c.company_id = l.company_id and c.folded = l.folded and c.at >= coalesce(l.clicks_until, '-infinity')
         where l.company_id = $1 and l.folded = $2 limit ${TAIL_MAX + 1}) as t),
     gathered as (
       select date_trunc(unit, c.at at time zone ${ZONE}) as local, sum(c.people) as people,
         sum(c.robots) as robots
       from clicked c cross join span group by 1)
     select b.local at time zone ${ZONE} as at, coalesce(g.people, 0)::integer as people,
       coalesce(g.robots, 0)::integer as robots
     from span
     cross join generate_series(date_trunc(unit, start at time zone ${ZONE}),
       date_trunc(unit, clock_timestamp() at time zone ${ZONE}), ('1 ' || unit)::interval) as b(local)
     left join gathered g using (local)
     order by b.local`,
    [companyId, folded, range, since],
  );
}
