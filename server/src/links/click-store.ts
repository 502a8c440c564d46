import type {
  ClickBrowser,
  ClickDevice,
  ClickPart,
  ClickSystem,
} from '@zhiber/contract/cabinet/clicks.ts';
import type { Context, FoundLink } from '../context.ts';
import { callFunction } from '../db/call-function.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import { classifyAgent, referrerHost } from './user-agent.ts';

/** A click as it came. Only what is derived from the agent, the referrer and the address is stored. */
export type NewClick = {
  link: FoundLink;
  isScan: boolean;
  agent: string;
  referrer: string;
  address: string;
  locations: Context['locations'];
};

const ADD_CLICKS = { name: 'add_clicks', columns: 'add_clicks as added' };

/** Clicks are written in batches; the redirect does not wait for them, nor for the look-ups. */
export const recordPersonClicks: GroupStatement<NewClick, void> = {
  name: 'record click',
  itemsMax: 2_048,
  waitingMax: 100_000,
  // Well under one second: by then every click must be safe in the database.
  gatherMs: 50,
  async run(sql, clicks) {
    const findLocation = await clicks[0]?.locations.load();
    const agents = clicks.map((click) => classifyAgent(click.agent));
    const locations = clicks.map((click) => findLocation?.(click.address));
    await callFunction(sql, ADD_CLICKS, {
      ...linkColumns(clicks.map((click) => click.link)),
      p_is_robot: false,
      p_is_scan: clicks.map((click) => click.isScan),
      p_device: agents.map((agent) => agent.device),
      p_system: agents.map((agent) => agent.system),
      p_browser: agents.map((agent) => agent.browser),
      p_country: locations.map((location) => location?.country ?? null),
      p_city: locations.map((location) => location?.city ?? null),
      p_referrer: clicks.map((click) => referrerHost(click.referrer)),
    });
    return clicks.map(() => undefined);
  },
};

/**
 * Of a robot only its click is stored. A separate, short queue, so that a flood of robots cannot
 * push out the clicks of people.
 */
export const recordRobotClicks: GroupStatement<FoundLink, void> = {
  name: 'record robot',
  itemsMax: 2_048,
  waitingMax: 8_192,
  gatherMs: 50,
  async run(sql, links) {
    await callFunction(sql, ADD_CLICKS, {
      ...linkColumns(links),
      p_is_robot: true,
      p_is_scan: links.map(() => false),
      p_device: [],
      p_system: [],
      p_browser: [],
      p_country: [],
      p_city: [],
      p_referrer: [],
    });
    return links.map(() => undefined);
  },
};

function linkColumns(links: readonly FoundLink[]) {
  return {
    p_slug_key: links.map((link) => link.slug_key),
    p_company: links.map((link) => link.company_id),
    p_message: links.map((link) => link.message_id),
    p_recipient: links.map((link) => link.recipient),
  };
}

/**
 * Clicks after the hourly sums of a link that are counted one by one. A link with more of them is
 * summed first.
 */
export const TAIL_MAX = 5_000;

export type ClickCount = {
  slug_key: string;
  /** Since the given instant, by a click. */
  people: number;
  scans: number;
  robots: number;
  /** Of all time, scans included; so are the first and the last click. */
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
     select slug_key, sums.people + tail.people as people, sums.scans + tail.scans as scans, sums.robots + tail.robots as robots,
       sums.people_ever + tail.people_ever as people_ever, least(sums.first_at, tail.first_at) as first_at,
       greatest(sums.last_at, tail.last_at) as last_at, tail.size <= ${TAIL_MAX} as is_whole
     from wanted w
     cross join lateral (
       select coalesce(sum(people - scans) filter (where hour >= w.start), 0) as people,
         coalesce(sum(scans) filter (where hour >= w.start), 0) as scans,
         coalesce(sum(robots) filter (where hour >= w.start), 0) as robots,
         coalesce(sum(people), 0) as people_ever, min(first_at) as first_at, max(last_at) as last_at
       from click_hour h where h.company_id = $1 and h.slug_key = w.slug_key) as sums
     cross join lateral (
       select count(*) filter (where not is_robot and not is_scan and at >= w.start) as people,
         count(*) filter (where is_scan and at >= w.start) as scans,
         count(*) filter (where is_robot and at >= w.start) as robots,
         count(*) filter (where not is_robot) as people_ever, min(at) filter (where not is_robot) as first_at,
         max(at) filter (where not is_robot) as last_at, count(*) as size
       from (select c.at, c.is_robot, c.is_scan from click c
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

export type ClickBucket = { at: Date; people: number; scans: number; robots: number };

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
       select h.hour as at, h.people - h.scans as people, h.scans, h.robots from click_hour h
       where h.company_id = $1 and h.slug_key = $2
       union all
       select t.at, (not t.is_robot and not t.is_scan)::integer, t.is_scan::integer, t.is_robot::integer
       from (select c.at, c.is_robot, c.is_scan from link l join click c
         on c.company_id = l.company_id and c.slug_key = l.slug_key and c.at >= coalesce(l.clicks_until, '-infinity')
         where l.company_id = $1 and l.slug_key = $2 limit ${TAIL_MAX + 1}) as t),
     gathered as (
       select width_bucket(c.at, $3::timestamptz[]) as n, sum(c.people) as people, sum(c.scans) as scans,
         sum(c.robots) as robots
       from clicked c group by 1)
     select b.at, coalesce(g.people, 0)::integer as people, coalesce(g.scans, 0)::integer as scans,
       coalesce(g.robots, 0)::integer as robots
     from unnest($3::timestamptz[]) with ordinality as b(at, n)
     left join gathered g using (n)
     order by n`,
    [companyId, slugKey, starts],
  );
}

/** `value` is null for the sum of all that are not among the most frequent. */
export type ClickPartRow = { part: ClickPart; value: string | null; people: number };

/** Clicks and scans of one link by people, by each known property: the most frequent values. */
export async function readClickParts(
  sql: Sql,
  companyId: CompanyId,
  { slugKey, from, topMax }: { slugKey: string; from: Date | undefined; topMax: number },
): Promise<ClickPartRow[]> {
  return await sql.query<ClickPartRow>(
    `with tail as materialized (
       select c.* from link l join click c
         on c.company_id = l.company_id and c.slug_key = l.slug_key and c.at >= coalesce(l.clicks_until, '-infinity')
       where l.company_id = $1 and l.slug_key = $2 limit ${TAIL_MAX + 1}),
     counted as (
       select part, value, people from click_part
       where company_id = $1 and slug_key = $2 and hour >= coalesce($3::timestamptz, '-infinity')
       union all
       select p.part, p.value, 1 from tail t
       cross join lateral (values ('device', t.device::text), ('system', t.system::text), ('browser', t.browser::text),
         ('country', t.country), ('city', t.country || ' ' || t.city), ('referrer', t.referrer)) as p(part, value)
       where not t.is_robot and t.at >= coalesce($3::timestamptz, '-infinity') and p.value is not null),
     ranked as (
       select part, value, sum(people) as people,
         row_number() over (partition by part order by value = '*', sum(people) desc, value) as place
       from counted group by part, value)
     select part, case when place <= $4 and value <> '*' then value end as value, sum(people)::integer as people
     from ranked group by 1, 2 order by 1, 3 desc, 2`,
    [companyId, slugKey, from ?? null, topMax],
  );
}

export type LastClick = {
  at: Date;
  is_robot: boolean;
  is_scan: boolean;
  device: ClickDevice | null;
  system: ClickSystem | null;
  browser: ClickBrowser | null;
  country: string | null;
  city: string | null;
  referrer: string | null;
  /** Of the message: E.164 digits, or the id of a group. */
  recipient: string | null;
};

/** The last clicks of a link, the newest first. */
export async function findLastClicks(
  sql: Sql,
  companyId: CompanyId,
  { slugKey, limit }: { slugKey: string; limit: number },
): Promise<LastClick[]> {
  return await sql.query<LastClick>(
    `select c.at, c.is_robot, c.is_scan, c.device, c.system, c.browser, c.country, c.city, c.referrer,
       c.recipient::text as recipient
     from click c where c.company_id = $1 and c.slug_key = $2 order by c.at desc limit $3`,
    [companyId, slugKey, limit],
  );
}
