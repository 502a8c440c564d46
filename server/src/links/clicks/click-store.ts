import type { GroupStatement, Sql } from '../../db/group-commit.ts';
import type { CompanyId } from '../../ids.ts';
import type { FoundLink } from '../link-store.ts';

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

export type ClickCount = {
  folded: string;
  /** Since the given instant. */
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
  { names, from }: { names: readonly string[]; from: Date | undefined },
): Promise<ClickCount[]> {
  return await sql.query<ClickCount>(
    `with wanted as materialized (
       select folded, coalesce(clicks_until, '-infinity') as until,
         coalesce($3::timestamptz, '-infinity') as start
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
    [companyId, names, from ?? null],
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
 * Clicks of one link over time, by when the buckets start; empty ones too. The last one has no end:
 * the clock of the database may be ahead.
 */
export async function readClickBuckets(
  sql: Sql,
  companyId: CompanyId,
  { folded, starts }: { folded: string; starts: readonly Date[] },
): Promise<ClickBucket[]> {
  return await sql.query<ClickBucket>(
    `with clicked as (
       select h.hour as at, h.people, h.robots from click_hour h
       where h.company_id = $1 and h.folded = $2
       union all
       select t.at, (not t.is_robot)::integer, t.is_robot::integer
       from (select c.at, c.is_robot from link l join click c
         on c.company_id = l.company_id and c.folded = l.folded and c.at >= coalesce(l.clicks_until, '-infinity')
         where l.company_id = $1 and l.folded = $2 limit ${TAIL_MAX + 1}) as t),
     gathered as (
       select width_bucket(c.at, $3::timestamptz[]) as n, sum(c.people) as people, sum(c.robots) as robots
       from clicked c group by 1)
     select b.at, coalesce(g.people, 0)::integer as people, coalesce(g.robots, 0)::integer as robots
     from unnest($3::timestamptz[]) with ordinality as b(at, n)
     left join gathered g using (n)
     order by n`,
    [companyId, folded, starts],
  );
}
