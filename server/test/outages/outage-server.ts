/**
 * A real server process on a folder of its own, with money to spend, for the outages to happen to;
 * and the accounts that have to be right when an outage is over.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import pino from 'pino';
import { topUp } from '../../src/billing/top-up.ts';
import { systemClock } from '../../src/clock.ts';
import { createCompany } from '../../src/company/create-company.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { CompanyId } from '../../src/ids.ts';
import { createKey } from '../../src/keys/create-key.ts';
import { passTime } from '../harness.ts';
import { PATIENT_MS } from '../patience.ts';
import {
  AS_DELIVERED,
  connectTo,
  createHome,
  embeddedDatabase,
  type Settings,
} from '../start/serve-harness.ts';
import type { Call, Load, Person } from './load.ts';

/** Proofs repeat as often as their claim says only when asked: `npm test -- outages --full`. */
export const IS_FULL = process.env.ZHIBER_TEST_FULL === '1';

/** Beside other load only a hang is a failure: what is promised in seconds is asserted by `--full`. */
const HANG_MS = 90_000;
export function promised(limitMs: number): number {
  return IS_FULL ? limitMs : HANG_MS;
}

const BALANCE = 100_000_000;
/** Longer than the lease of a message and of an attempt, and than the default fallback time. */
const LONG_ENOUGH_SECONDS = 120;
const SETTLE_LIMIT_MS = HANG_MS;

export type OutageServer = Awaited<ReturnType<typeof openServer>>;

export async function openServer(settings: Settings = {}, home = createHome()) {
  const server = await home.serve({ ...AS_DELIVERED, ...settings });
  const { port, company_id: companyId, keys } = server.facts;
  assert.ok(keys, 'a first start shows its keys');
  await asOperator(home.dataDir, (tools) =>
    topUp(tools, { companyId: companyId as CompanyId, amount: BALANCE }),
  );

  /** Runs SQL as an operator would, on a session of its own. */
  const sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const client = await connectTo(home.dataDir);
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  };

  return {
    home,
    dataDir: home.dataDir,
    process: server,
    pid: server.child.pid as number,
    companyId,
    live: { port, key: keys.live },
    sql,
    /** Another company with money and a key of its own. */
    company: () =>
      asOperator(home.dataDir, async (tools) => {
        const { companyId: id } = await createCompany(tools, 'Другая');
        await topUp(tools, { companyId: id, amount: BALANCE });
        const settings = { companyId: id, name: 'ключ', isTest: false };
        const { key } = await createKey(tools.db, settings);
        return { companyId: id as number, key };
      }),
    /** Waits until the service sends again, and answers with how long that took. */
    async untilServing(probe: () => Promise<Call>, limitMs: number): Promise<number> {
      const startedAt = performance.now();
      for (;;) {
        const { status } = await probe();
        const tookMs = performance.now() - startedAt;
        if (status === 200) return tookMs;
        assert.ok(tookMs < limitMs, `it still answers ${status} after ${Math.round(tookMs)} ms`);
        await pause(10);
      }
    },
    /** How many sends were left to the watch; it settles them once their time has passed. */
    async settleAll(): Promise<number> {
      const open = "select count(*)::integer as n from message where state = 'sending' or hold > 0";
      const [first] = await sql<{ n: number }>(open);
      if (first?.n === 0) return 0;
      await passTime(sql as never, LONG_ENOUGH_SECONDS);
      const deadline = performance.now() + SETTLE_LIMIT_MS;
      while (((await sql<{ n: number }>(open))[0]?.n ?? 0) > 0) {
        assert.ok(performance.now() < deadline, 'the watch has not settled everything');
        await pause(100);
      }
      return first?.n ?? 0;
    },
    audit: () => audit(home),
    close: () => home.remove(),
  };
}

/** What a command would do, without the start of a process for each. */
export async function asOperator<T>(
  dataDir: string,
  work: (tools: Pick<Context, 'db' | 'clock' | 'config'>) => Promise<T>,
): Promise<T> {
  const db = openDatabase(embeddedDatabase(dataDir), pino({ level: 'silent' }), PATIENT_MS);
  try {
    return await work({ db, clock: systemClock, config: readConfig({}) });
  } finally {
    await db.close();
  }
}

/** Every invariant holds, and at rest nothing is held. */
export async function audit(home: ReturnType<typeof createHome>): Promise<void> {
  const { out } = await home.run(['audit', '--json']);
  const { ok, violations, totals } = JSON.parse(out) as {
    ok: boolean;
    violations: Record<string, number>;
    totals: { held: number };
  };
  assert.equal(ok, true, JSON.stringify(violations));
  assert.equal(totals.held, 0, 'nothing is held');
}

/** Whatever was answered with success is in the database, and what was not is not charged. */
export async function assertKept(
  server: OutageServer,
  load: Pick<Load, 'calls' | 'sent' | 'verified'>,
): Promise<void> {
  const idsOf = (people: readonly Person[]) => people.map((person) => person.messageId);
  const lostSends = await server.sql(
    `select i.id from unnest($1::uuid[]) as i(id)
     left join message m on m.company_id = $2 and m.id = i.id and m.state = 'sent' and m.charged > 0
     where m.id is null`,
    [idsOf(load.sent), server.companyId],
  );
  assert.deepEqual(lostSends, [], 'sends that were answered with success and are not there');
  const lostVerifies = await server.sql(
    `select i.id from unnest($1::uuid[]) as i(id)
     left join code c on c.message_id = i.id and c.verified_at is not null
     where c.message_id is null`,
    [idsOf(load.verified)],
  );
  assert.deepEqual(lostVerifies, [], 'codes that were verified and are not used up');
  const refused = load.calls.filter((call) => call.status !== 200 && call.path.endsWith('/send'));
  const charged = await server.sql(
    'select request_id, state, charged from message where request_id = any ($1) and charged > 0',
    [refused.map((call) => call.requestId)],
  );
  assert.deepEqual(charged, [], 'sends that were refused, or not answered, and charged');
}

/**
 * Every call of a time without a database was told soon when to come back. A send whose message had
 * left by then is told that it may have arrived, and costs nothing.
 */
export function assertToldToComeBack(calls: readonly Call[], limitMs: number): number {
  const broken = calls.filter((call) => call.status === 0);
  assert.deepEqual(broken, [], 'calls that got no answer');
  for (const call of calls.filter(({ status }) => status >= 500)) {
    const said = JSON.stringify(call);
    if (call.body.error_code === 'delivery_unconfirmed') {
      assert.equal(call.status, 504, said);
      continue;
    }
    assert.equal(call.status, 503, said);
    assert.equal(call.body.error_code, 'service_unavailable', said);
    assert.match(call.retryAfter ?? '', /^[1-9]\d*$/, said);
    assert.equal(String(call.body.retry_after), call.retryAfter, said);
  }
  const slowest = calls.reduce((a, b) => (b.ms > a.ms ? b : a));
  const { path, status, ms } = slowest;
  assert.ok(ms <= limitMs, `${path} was answered ${status} after ${Math.round(ms)} ms`);
  return Math.round(ms);
}
