/**
 * `npm run bench -- --months`: a million messages and twenty million, in months of the past. How fast
 * each sends, lists, audits and removes, with both services up at once and measured in turn.
 */
import pg from 'pg';
import pino from 'pino';
import { readAudit } from '../server/src/billing/invariant-store.ts';
import { readConfig } from '../server/src/config/config.ts';
import { auditMonths } from '../server/src/jobs/audit-months.ts';
import { removeOutdated } from '../server/src/jobs/remove-outdated.ts';
import { listMessages } from '../server/src/messages/list-messages.ts';
import { toQuery } from '../server/src/messages/message-query.ts';
import { measure, median } from './measure.ts';
import type { LoadClient } from './processes.ts';
import { columns } from './report.ts';
import { type Client, createClients, type Service } from './service.ts';

export type MonthsSet = {
  service: Service;
  clients: Client[];
  months: number;
  perMonth: number;
  numbers: { next: number };
};

export const MONTH_SETS = [
  { months: 4, perMonth: 250_000 },
  { months: 20, perMonth: 1_000_000 },
] as const;
const COMPANIES = 200;
const TOKENS = 3;
const RATIO_MIN = 0.9;
const LISTS = 40;
const DAY_MS = 86_400_000;

/** Fills whole months that have ended, with the charges of each company in the ledger. */
export async function prepareMonths(
  service: Service,
  { months, perMonth }: { months: number; perMonth: number },
  say: (line: string) => void,
): Promise<MonthsSet> {
  const clients = await createClients(service.db, COMPANIES);
  const sql = new pg.Client(service.connection);
  await sql.connect();
  try {
    await sql.query('create temporary table client (n integer, company_id bigint, key_id bigint)');
    await sql.query(
      `insert into client select ordinality - 1, company, key
       from unnest($1::bigint[], $2::bigint[]) with ordinality as c(company, key, ordinality)`,
      [clients.map(({ companyId }) => companyId), clients.map(({ keyId }) => keyId)],
    );
    for (let ago = months; ago >= 1; ago--) {
      await fillMonth(sql, ago, perMonth);
      say(`  ${months - ago + 1} of ${months} months`);
    }
    await sql.query('vacuum (analyze) message');
    await sql.query('vacuum (analyze) entry');
  } finally {
    await sql.end();
  }
  return { service, clients, months, perMonth, numbers: { next: 1 } };
}

/** Loaded and indexed before it becomes a partition: ten times as fast as rows that are inserted there. */
async function fillMonth(sql: pg.Client, ago: number, messages: number): Promise<void> {
  const { rows } = await sql.query<{ month: string; suffix: string; seconds: string }>(
    `select m::date::text as month, to_char(m, '_YYYY_MM') as suffix,
       extract(epoch from (m + interval '1 month') - m)::text as seconds
     from date_trunc('month', now() at time zone 'UTC' - make_interval(months => $1)) as m`,
    [ago],
  );
  const { month, suffix, seconds } = rows[0] as { month: string; suffix: string; seconds: string };
  const name = `message${suffix}`;
  await sql.query(`drop table if exists ${name}`);
  await sql.query(
    `create table ${name} (like message including defaults including constraints) with (fillfactor = 65)`,
  );
  await sql.query(
    `insert into ${name} (company_id, id, key_id, kind, is_test, recipient, state, receipt, channel, charged,
       created_at, settled_at, receipt_at, delivered_at, next_check_at, purpose, provider_id, request_id)
     select c.company_id, (left(uuid_at(at)::text, 14) || '7' || right(md5(m.n::text), 3) || '-8'
         || left(md5(m.n::text), 3) || '-' || substr(md5(m.n::text), 4, 12))::uuid,
       c.key_id, 'otp', false, 77010000000 + m.n % 5000000, 'sent', 'delivered', 'whatsapp', ${TOKENS},
       at, at, at, at, at + interval '31 seconds', 'default', 'past:' || m.n, 'req_past' || m.n
     from (select n, '${month} 00:00Z'::timestamptz + n * interval '1 second' * ${seconds} / ${messages + 1} as at
       from generate_series(1, ${messages}) as n) m
     join client c on c.n = m.n % ${COMPANIES}`,
  );
  await sql.query(`alter table ${name} add primary key (company_id, id)`);
  await sql.query(`create index on ${name} (next_check_at)`);
  await sql.query(`create index on ${name} (company_id, recipient, id)`);
  await sql.query(
    `alter table message attach partition ${name} for values from ('${await lowestId(sql, month, 0)}')
       to ('${await lowestId(sql, month, 1)}')`,
  );
  for (const table of ['attempt', 'sms_attempt', 'entry']) {
    await sql.query('select make_partition($1, $2, true, 80)', [table, month]);
  }
  await sql.query(
    `with spent as (
       update account a set balance = balance - s.tokens, entries = entries + 1
       from (select company_id, sum(charged) as tokens, count(*) as messages, max(id::text)::uuid as last
         from ${name} group by company_id) s
       where a.company_id = s.company_id
       returning a.company_id, a.entries, a.balance, s.tokens, s.messages, s.last)
     insert into entry (company_id, number, kind, cause, amount, messages, balance_after, created_at)
     select company_id, entries, 'charge', last, -tokens, messages, balance, now() from spent`,
  );
}

async function lowestId(sql: pg.Client, month: string, monthsLater: number): Promise<string> {
  const { rows } = await sql.query(
    `select uuid_at(($1::date + make_interval(months => $2))::timestamp at time zone 'UTC') as id`,
    [month, monthsLater],
  );
  return rows[0].id;
}

type Options = { rounds: number; seconds: number; say(line: string): void };

/** One table: operations per second on each set, and the ratio of the two. */
export async function measureMonths(
  client: LoadClient,
  sets: readonly MonthsSet[],
  { rounds, seconds, say }: Options,
): Promise<string> {
  const measures: Readonly<Record<string, (set: MonthsSet) => Promise<number>>> = {
    send: (set) => sendPerSecond(client, set, seconds),
    list: (set) => perSecond(LISTS, () => listSome(set)),
    'audit of a month, messages': auditOneMonth,
    'audit with the sums of all months': (set) =>
      perSecond(1, () => readAudit(set.service.connection)),
    'removal of a month, messages': removeOldestMonth,
  };
  const results = new Map<string, number[][]>();
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const [name, work] of Object.entries(measures)) {
      if (round === 0 && name.startsWith('removal')) continue;
      const row: number[] = [];
      for (const set of sets) {
        await Promise.all(sets.map(({ service }) => service.settleDown()));
        row.push(await work(set));
      }
      say(`  ${name}: ${row.map((one) => one.toFixed(1)).join(' and ')}/s`);
      if (round > 0) results.set(name, [...(results.get(name) ?? []), row]);
    }
  }
  const rows = [...results].map(([name, found]) => {
    const ratios = found.map(([small = Number.NaN, large = Number.NaN]) => large / small);
    return [
      name,
      ...sets.map((_, at) => median(found.map((row) => row[at] as number)).toFixed(1)),
      median(ratios).toFixed(2),
      median(ratios) >= RATIO_MIN ? 'reached' : 'MISSED',
    ];
  });
  const sizes = sets.map(({ months, perMonth }) => (months * perMonth).toLocaleString('en'));
  return columns([['a second, with messages:', ...sizes, 'ratio', `>= ${RATIO_MIN}`], ...rows]);
}

async function sendPerSecond(client: LoadClient, set: MonthsSet, seconds: number) {
  const { service, clients, numbers } = set;
  const block = {
    name: 'send',
    kind: 'send',
    port: service.port,
    connections: 64,
    keys: clients.map(({ key }) => key),
    numbers,
  } as const;
  return (await measure(client, service, block, seconds)).perSecond;
}

async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - startedAt);
}

/** First pages, and pages of some months ago. */
async function listSome({ service, clients }: MonthsSet) {
  for (let at = 0; at < LISTS; at++) {
    const client = clients[at % clients.length] as Client;
    const now = new Date();
    const to =
      at % 3 === 0 ? {} : { to: new Date(now.getTime() - (at % 3) * 45 * DAY_MS).toISOString() };
    const query = toQuery(to, now);
    await listMessages(service.db, client.companyId, query);
  }
}

const log = pino({ level: 'silent' });

/** All months are audited before; one is audited again. */
async function auditOneMonth({ service, perMonth }: MonthsSet): Promise<number> {
  const ctx = { db: service.db, config: readConfig({}), log };
  await auditMonths(ctx);
  await service.db.query(
    `update audited_month set audited_changes = null where table_name = 'message'
       and month = (select max(month) from audited_month where table_name = 'message')`,
  );
  return await perSecond(perMonth, () => auditMonths(ctx));
}

async function removeOldestMonth({ service, perMonth }: MonthsSet): Promise<number> {
  const [oldest] = await service.db.query<{ days: number }>(
    `select extract(day from now() - (min(partition_month(inhrelid::regclass::text::name)) + interval '1 month'))::integer
       as days from pg_inherits where inhparent = 'message'::regclass`,
  );
  const config = readConfig({});
  const ctx = {
    db: service.db,
    config: { ...config, keepDays: { ...config.keepDays, messages: (oldest?.days ?? 0) - 1 } },
    log,
  };
  return await perSecond(perMonth, () => removeOutdated(ctx, new AbortController().signal));
}
