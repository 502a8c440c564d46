/**
 * A real server process with its own data folder and a company that has money, and the assertions
 * that must hold after an outage.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { systemClock } from '../../src/clock.ts';
import { createCompany } from '../../src/company/create-company.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { CompanyId } from '../../src/ids.ts';
import { createKey } from '../../src/keys/manage-keys.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import { passTime } from '../harness.ts';
import { IS_FULL } from '../is-full.ts';
import {
  createHome,
  createSql,
  DEFAULT_TIMEOUTS,
  embeddedDatabase,
  type Settings,
} from '../start/serve-harness.ts';
import type { Call, Load, Person } from './load-client.ts';

/** Without `--full` other tests load the machine, so only a hang is a failure. */
const HANG_MS = 90_000;
export function promisedLimit(limitMs: number): number {
  return IS_FULL ? limitMs : HANG_MS;
}

const BALANCE = 100_000_000;
/** Longer than the leases of a message and of an attempt, and than the default fallback time. */
const AFTER_LEASES_SECONDS = 120;
const SETTLE_LIMIT_MS = HANG_MS;

export type OutageServer = Awaited<ReturnType<typeof openServer>>;

export async function openServer(settings: Settings = {}, home = createHome()) {
  const server = await home.serve({ ...DEFAULT_TIMEOUTS, ...settings });
  const { port, company_id: companyId, keys } = server.facts;
  assert.ok(keys, 'the first start must print the keys');
  await asOperator(home.dataDir, (tools) =>
    topUp(tools, { companyId: companyId as CompanyId, amount: BALANCE }),
  );

  const sql = createSql(home.dataDir);

  return {
    home,
    dataDir: home.dataDir,
    process: server,
    pid: server.child.pid as number,
    companyId,
    live: { port, key: keys.live },
    sql,
    /** Creates another company with money and a key. */
    addCompany: () =>
      asOperator(home.dataDir, async (tools) => {
        const { companyId: id } = await createCompany(tools, 'Другая');
        await topUp(tools, { companyId: id, amount: BALANCE });
        const settings = { companyId: id, name: 'ключ', isTest: false };
        const { key } = await createKey(tools.db, settings);
        return { companyId: id as number, key };
      }),
    /** Waits until the service sends again; returns how long that took. */
    async waitUntilServing(probe: () => Promise<Call>, limitMs: number): Promise<number> {
      const startedAt = performance.now();
      for (;;) {
        const { status } = await probe();
        const tookMs = performance.now() - startedAt;
        if (status === 200) return tookMs;
        assert.ok(
          tookMs < limitMs,
          `the service still answers ${status} after ${Math.round(tookMs)} ms`,
        );
        await pause(10);
      }
    },
    /** Lets the watch settle all open sends; returns how many there were. */
    async settleAll(): Promise<number> {
      const open = "select count(*)::integer as n from message where state = 'sending' or hold > 0";
      const [first] = await sql<{ n: number }>(open);
      if (first?.n === 0) return 0;
      await passTime(sql, AFTER_LEASES_SECONDS);
      const deadline = performance.now() + SETTLE_LIMIT_MS;
      while (((await sql<{ n: number }>(open))[0]?.n ?? 0) > 0) {
        assert.ok(
          performance.now() < deadline,
          'timed out waiting for the watch to settle all sends',
        );
        await pause(100);
      }
      return first?.n ?? 0;
    },
    audit: () => audit(home),
    close: () => home.remove(),
  };
}

/** Does what a CLI command would do, without starting a process. */
export async function asOperator<T>(
  dataDir: string,
  work: (tools: Pick<Context, 'db' | 'clock' | 'config'>) => Promise<T>,
): Promise<T> {
  const db = openDatabase(
    embeddedDatabase(dataDir),
    pino({ level: 'silent' }),
    TEST_DATABASE_TIMEOUT_MS,
  );
  try {
    return await work({ db, clock: systemClock, config: readConfig({}) });
  } finally {
    await db.close();
  }
}

/** Asserts that every invariant holds and that no money is held. */
export async function audit(home: ReturnType<typeof createHome>): Promise<void> {
  const { out } = await home.run(['audit', '--json']);
  const { ok, violations, totals } = JSON.parse(out) as {
    ok: boolean;
    violations: Record<string, number>;
    totals: { held: number };
  };
  assert.equal(ok, true, JSON.stringify(violations));
  assert.equal(totals.held, 0, 'money is still held');
}

/** Every success is in the database, and no other call was charged. */
export async function assertNothingLost(
  server: OutageServer,
  load: Pick<Load, 'calls' | 'sent' | 'verified'>,
): Promise<void> {
  const messageIds = (people: readonly Person[]) => people.map((person) => person.messageId);
  const lostSends = await server.sql(
    `select i.id from unnest($1::uuid[]) as i(id)
     left join message m on m.company_id = $2 and m.id = i.id and m.state = 'sent' and m.charged > 0
     where m.id is null`,
    [messageIds(load.sent), server.companyId],
  );
  assert.deepEqual(lostSends, [], 'sends answered with success that are not in the database');
  const lostVerifies = await server.sql(
    `select i.id from unnest($1::uuid[]) as i(id)
     left join code c on c.message_id = i.id and c.verified_at is not null
     where c.message_id is null`,
    [messageIds(load.verified)],
  );
  assert.deepEqual(lostVerifies, [], 'verified codes that are not marked as used');
  const refused = load.calls.filter((call) => call.status !== 200 && call.path.endsWith('/send'));
  const charged = await server.sql(
    'select request_id, state, charged from message where request_id = any ($1) and charged > 0',
    [refused.map((call) => call.requestId)],
  );
  assert.deepEqual(charged, [], 'sends that were charged although refused or not answered');
}

/**
 * Asserts that every failed call got 503 with Retry-After within the limit. A send whose message
 * had already left gets 504 `delivery_unconfirmed` and is not charged. Returns the slowest time.
 */
export function assertAnsweredInTime(calls: readonly Call[], limitMs: number): number {
  const broken = calls.filter((call) => call.status === 0);
  assert.deepEqual(broken, [], 'calls without an answer');
  for (const call of calls.filter(({ status }) => status >= 500)) {
    const details = JSON.stringify(call);
    if (call.body.error_code === 'delivery_unconfirmed') {
      assert.equal(call.status, 504, details);
      continue;
    }
    assert.equal(call.status, 503, details);
    assert.equal(call.body.error_code, 'service_unavailable', details);
    assert.match(call.retryAfter ?? '', /^[1-9]\d*$/, details);
    assert.equal(String(call.body.retry_after), call.retryAfter, details);
  }
  const slowest = calls.reduce((a, b) => (b.ms > a.ms ? b : a));
  const { path, status, ms } = slowest;
  assert.ok(ms <= limitMs, `${path} was answered ${status} after ${Math.round(ms)} ms`);
  return Math.round(ms);
}
