import type { FIGURE_ITEMS } from '@zhiber/contract/admin/figures.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, MessageId } from '../ids.ts';

export type FigureItem = (typeof FIGURE_ITEMS)[number];

/** Live sends of one day, item, provider and prefix. */
export type Figure = {
  item: FigureItem;
  /** Empty where none is known. */
  provider: string;
  /** Empty for groups. */
  prefix: string;
  sends: number;
  delivered: number;
  failed: number;
  charged: number;
  /** What the provider accepted and charges for: each part of an SMS, anything else once. */
  carried: number;
};
/** With the first digits of the phone in place of the prefix. */
export type CountedFigure = Omit<Figure, 'prefix'> & { start: string };

export async function listCustomers(sql: Sql): Promise<{ id: CompanyId }[]> {
  return await sql.query<{ id: CompanyId }>(
    `select id from company
     where id is distinct from (select value::bigint from installation where name = 'system_company') order by id`,
  );
}

export type IdRange = { companyId: CompanyId; from: MessageId; to: MessageId };

/** As many digits as the longest prefix. */
const PREFIX_DIGITS = 5;
const providerOf = (table: string) =>
  `coalesce(substring(${table}.provider_id from '^([a-z][a-z0-9-]*):'), '')`;
const startOf = (table: string) =>
  `case when ${table}.kind = 'group' then '' else left(${table}.recipient::text, ${PREFIX_DIGITS}) end`;

/** The messages of one company in a range of ids, by item, provider and first digits. */
export async function countMessages(
  sql: Sql,
  { companyId, from, to }: IdRange,
): Promise<CountedFigure[]> {
  return await sql.query<CountedFigure>(
    `select case when m.kind = 'group' then 'group' else m.channel::text end as item,
       ${providerOf('m')} as provider, ${startOf('m')} as start, count(*)::integer as sends,
       count(*) filter (where m.receipt >= 'delivered')::integer as delivered,
       count(*) filter (where m.state = 'failed' or m.state = 'sent' and m.receipt = 'failed')::integer as failed,
       sum(m.charged)::bigint as charged,
       coalesce(sum(coalesce(s.parts, 1)) filter (where m.attempt = 1 and m.state = 'sent'), 0)::integer as carried
     from message m
     left join sms_attempt s on s.company_id = m.company_id and s.message_id = m.id and s.number = 1
       and s.message_id >= $2 and s.message_id < $3
     where m.company_id = $1 and m.id >= $2 and m.id < $3 and not m.is_test and m.channel is not null
     group by 1, 2, 3`,
    [companyId, from, to],
  );
}

/** What providers accepted of messages that fell back: each attempt has a row of its own. */
export async function countCarried(
  sql: Sql,
  { companyId, from, to }: IdRange,
): Promise<Pick<CountedFigure, 'item' | 'provider' | 'start' | 'carried'>[]> {
  return await sql.query(
    `select a.channel::text as item, ${providerOf('a')} as provider, ${startOf('m')} as start,
       sum(coalesce(s.parts, 1))::integer as carried
     from attempt a join message m on m.company_id = a.company_id and m.id = a.message_id
     left join sms_attempt s on s.company_id = a.company_id and s.message_id = a.message_id and s.number = a.number
       and s.message_id >= $2 and s.message_id < $3
     where a.company_id = $1 and a.message_id >= $2 and a.message_id < $3 and a.state = 'accepted'
       and m.attempt > 1 and not m.is_test
     group by 1, 2, 3`,
    [companyId, from, to],
  );
}

/** Replaces the figures of a day. */
export async function replaceFigures(
  tx: Transaction,
  { day, countedAt, figures }: { day: string; countedAt: Date; figures: readonly Figure[] },
): Promise<void> {
  await tx.query('delete from figure_day where day = $1', [day]);
  await tx.query(
    `insert into figure_day (day, item, provider, prefix, sends, delivered, failed, charged, carried)
     select $1, f.* from jsonb_to_recordset($2) as f(item text, provider text, prefix text, sends integer,
       delivered integer, failed integer, charged bigint, carried integer)`,
    [day, JSON.stringify(figures)],
  );
  await tx.query(
    `insert into figure_count (day, counted_at) values ($1, $2)
     on conflict (day) do update set counted_at = excluded.counted_at`,
    [day, countedAt],
  );
}

export async function listCountedDays(
  sql: Sql,
  from: string,
): Promise<{ day: string; countedAt: Date }[]> {
  return await sql.query(
    'select day::text as day, counted_at as "countedAt" from figure_count where day >= $1 order by day',
    [from],
  );
}

export async function listFigures(sql: Sql, from: string): Promise<(Figure & { day: string })[]> {
  return await sql.query<Figure & { day: string }>(
    `select day::text as day, item, provider, prefix, sends, delivered, failed, charged, carried
     from figure_day where day >= $1`,
    [from],
  );
}

export type CodesOfDay = { day: string; prefix: string; sent: number; verified: number };

export async function listCodes(sql: Sql, from: string): Promise<CodesOfDay[]> {
  return await sql.query<CodesOfDay>(
    'select day::text as day, prefix, sent, verified from code_day where day >= $1',
    [from],
  );
}

export type StoredCost = {
  provider: string;
  item: FigureItem;
  validFrom: string;
  costTiyn: number;
  setBy: string | null;
  setAt: Date;
};

/** By provider and item, newest first. */
export async function listCosts(sql: Sql): Promise<StoredCost[]> {
  return await sql.query<StoredCost>(
    `select provider, item, valid_from::text as "validFrom", cost_tiyn as "costTiyn", set_by as "setBy",
       set_at as "setAt"
     from provider_cost order by provider, item, valid_from desc`,
  );
}

export type NewCost = Omit<StoredCost, 'setAt'>;

/** In place of another one of the same day. False when it is the same. */
export async function putCost(tx: Transaction, cost: NewCost): Promise<boolean> {
  const rows = await tx.query(
    `insert into provider_cost as c (provider, item, valid_from, cost_tiyn, set_by) values ($1, $2, $3, $4, $5)
     on conflict (provider, item, valid_from) do update
       set cost_tiyn = excluded.cost_tiyn, set_by = excluded.set_by, set_at = clock_timestamp()
       where c.cost_tiyn <> excluded.cost_tiyn
     returning 1`,
    [cost.provider, cost.item, cost.validFrom, cost.costTiyn, cost.setBy],
  );
  return rows.length === 1;
}

/** What a provider charges on a day; undefined where it is not known. */
export async function findCost(
  sql: Sql,
  { provider, item, day }: { provider: string; item: FigureItem; day: string },
): Promise<number | undefined> {
  const rows = await sql.query<{ cost: number }>(
    `select cost_tiyn as cost from provider_cost where provider = $1 and item = $2 and valid_from <= $3
     order by valid_from desc limit 1`,
    [provider, item, day],
  );
  return rows[0]?.cost;
}
