import type { FoundLink } from '../context.ts';
import { callFunction } from '../db/call-function.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

/** Clicks are written in batches; the redirect does not wait for them. */
const recording = (queue: {
  name: string;
  isRobot: boolean;
  waitingMax: number;
}): GroupStatement<FoundLink, void> => ({
  name: queue.name,
  itemsMax: 2_048,
  waitingMax: queue.waitingMax,
  // Well under one second: by then every click must be safe in the database.
  gatherMs: 50,
  async run(sql, links) {
    await callFunction(
      sql,
      { name: 'record_clicks', columns: 'record_clicks as recorded' },
      {
        p_slug_key: links.map((link) => link.slug_key),
        p_company: links.map((link) => link.company_id),
        p_message: links.map((link) => link.message_id),
        p_recipient: links.map((link) => link.recipient),
        p_is_robot: queue.isRobot,
      },
    );
    return links.map(() => undefined);
  },
});

export const recordPersonClicks = recording({
  name: 'record click',
  isRobot: false,
  waitingMax: 100_000,
});
// A separate, short queue, so that a flood of robots cannot push out the clicks of people.
export const recordRobotClicks = recording({
  name: 'record robot',
  isRobot: true,
  waitingMax: 8_192,
});

/**
 * Clicks after the hourly sums of a link that are counted one by one. A link with more of them is
 * summed first.
 */
export const TAIL_MAX = 5_000;

export type ClickCount = {
  slug_key: string;
  /** Since the given instant. */
  people: number;
  robots: number;
  /** Of all time. */
  people_ever: number;
  first_at: Date | null;
  last_at: Date | null;
  /** False when only the first ones are counted: there are more. */
  is_whole: boolean;
};

/** The clicks of many links: their hourly sums, plus the clicks since then. */
export async function readClickCounts(
  sql: Sql,
  companyId: CompanyId,
  { names, from }: { names: readonly string[]; from: Date | undefined },
): Promise<ClickCount[]> {
  return await sql.query<ClickCount>(
    `with wanted as materialized (
       select slug_key, coalesce(clicks_until, '-infinity') as until,
         coalesce($3::timestamptz, '-infinity') as start
       from link where company_id = $1 and slug_key = any ($2))
     select slug_key, sums.people + tail.people as people, sums.robots + tail.robots as robots,
       sums.people_ever + tail.people_ever as people_ever, least(sums.first_at, tail.first_at) as first_at,
       greatest(sums.last_at, tail.last_at) as last_at, tail.size <= ${TAIL_MAX} as is_whole
     from wanted w
     cross join lateral (
       select coalesce(sum(people) filter (where hour >= w.start), 0) as people,
         coalesce(sum(robots) filter (where hour >= w.start), 0) as robots,
         coalesce(sum(people), 0) as people_ever, min(first_at) as first_at, max(last_at) as last_at
       from click_hour h where h.company_id = $1 and h.slug_key = w.slug_key) as sums
     cross join lateral (
       select count(*) filter (where not is_robot and at >= w.start) as people,
         count(*) filter (where is_robot and at >= w.start) as robots,
         count(*) filter (where not is_robot) as people_ever, min(at) filter (where not is_robot) as first_at,
         max(at) filter (where not is_robot) as last_at, count(*) as size
       from (select c.at, c.is_robot from click c
         where c.company_id = $1 and c.slug_key = w.slug_key and c.at >= w.until limit ${TAIL_MAX + 1}) as c
       ) as tail`,
    [companyId, names, from ?? null],
  );
}

/** Adds the next clicks of a link to its hourly sums. True when there are more. */
export async function addUpClicks(
  sql: Sql,
  companyId: CompanyId,
  { slugKey, clicksMax }: { slugKey: string; clicksMax: number },
): Promise<boolean> {
  const addUp = { name: 'add_up_clicks', columns: 'add_up_clicks as has_more' };
  const rows = await callFunction<{ has_more: boolean }>(sql, addUp, {
    p_company: companyId,
    p_slug_key: slugKey,
    p_max: clicksMax,
  });
  return rows[0]?.has_more === true;
}

export type ClickBucket = { at: Date; people: number; robots: number };

/**
 * Clicks of one link per bucket, given the bucket starts; includes empty buckets. The last bucket
 * has no end, because the clock of the database may be ahead.
 */
export async function readClickBuckets(
  sql: Sql,
  companyId: CompanyId,
  { slugKey, starts }: { slugKey: string; starts: readonly Date[] },
): Promise<ClickBucket[]> {
  return await sql.query<ClickBucket>(
    `with clicked as (
       select h.hour as at, h.people, h.robots from click_hour h
       where h.company_id = $1 and h.slug_key = $2
       union all
       select t.at, (not t.is_robot)::integer, t.is_robot::integer
       from (select c.at, c.is_robot from link l join click c
         on c.company_id = l.company_id and c.slug_key = l.slug_key and c.at >= coalesce(l.clicks_until, '-infinity')
         where l.company_id = $1 and l.slug_key = $2 limit ${TAIL_MAX + 1}) as t),
     gathered as (
       select width_bucket(c.at, $3::timestamptz[]) as n, sum(c.people) as people, sum(c.robots) as robots
       from clicked c group by 1)
     select b.at, coalesce(g.people, 0)::integer as people, coalesce(g.robots, 0)::integer as robots
     from unnest($3::timestamptz[]) with ordinality as b(at, n)
     left join gathered g using (n)
     order by n`,
    [companyId, slugKey, starts],
  );
}
