/**
 * A broadcast whose workers, server and database are killed while it runs, judged by the journal of
 * the provider: nobody gets it twice, and everybody gets it or has a recorded reason.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { HTTP, SMSC } from '../../../simulators/credentials.ts';
import type { Simulator } from '../../../simulators/frame/simulator.ts';
import { startHttpProvider } from '../../../simulators/http-provider.ts';
import { startSmsc } from '../../../simulators/smsc.ts';
import { createCompany } from '../../src/company/create-company.ts';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { BroadcastId, CompanyId } from '../../src/ids.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { createBroadcastRig } from '../broadcasts/broadcast-rig.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import { freePort } from '../free-port.ts';
import { passTime, type RunSql } from '../harness.ts';
import { IS_FULL } from '../is-full.ts';
import { asOperator, audit } from '../outages/outage-server.ts';
import { signalAll } from '../outages/postgres-processes.ts';
import {
  createHome,
  embeddedDatabase,
  type Running,
  type Settings,
} from '../start/serve-harness.ts';

const RECIPIENTS = IS_FULL ? 10_000 : 400;
const KILLS = IS_FULL
  ? { worker: 10, server: 5, database: 2, pause: 2 }
  : { worker: 4, server: 2, database: 1, pause: 1 };
/** Slow enough that every kill comes while messages are under way. */
const ANSWER_DELAY_MS = 40;
const DEADLINE_MS = 240_000;
const MOST = RECIPIENTS * 8;

for (const provider of ['http', 'smsc'] as const) {
  test(`killed workers, servers and databases: nobody twice, nobody forgotten (${provider})`, async (t) => {
    const rig = await openKillRig(provider);
    t.after(() => rig.close());
    const { balance: before } = await rig.account();
    const id = await rig.startBroadcast();
    const kinds = Object.entries(KILLS).flatMap(([kind, count]) => Array<string>(count).fill(kind));
    // Kills come at even shares of the work, in a fixed but mixed order.
    const order = kinds.map((kind, i) => [(i * 7) % kinds.length, kind] as const).toSorted();
    for (const [i, [, kind]] of order.entries()) {
      await rig.waitForTaken(Math.floor((RECIPIENTS * (i + 1)) / (order.length + 2)));
      await rig.act[kind as keyof typeof KILLS](id);
    }
    await rig.waitUntilDone(id);

    const received = Map.groupBy(rig.taken(), ({ to }) => to.replace('+', ''));
    const twice = [...received.values()].filter((messages) => messages.length > 1);
    assert.deepEqual(twice, [], 'recipients that got it twice');
    const rows = await rig.sql<{ phone: string; state: string; reason: string | null }>(
      `select w.phone::text as phone, m.state, m.reason from broadcast_row w
       left join message m on m.company_id = w.company_id and m.id = w.message_id
       where w.broadcast_id = $1`,
      [id],
    );
    assert.equal(rows.length, RECIPIENTS);
    const forgotten = rows.filter(
      ({ phone, state, reason }) => !received.has(phone) && (state === 'sent' || reason === null),
    );
    assert.deepEqual(forgotten, [], 'recipients without the message and without a reason');
    const sent = rows.filter(({ state }) => state === 'sent').length;
    const { balance, held } = await rig.account();
    assert.deepEqual({ spent: before - balance, held }, { spent: sent * 8, held: 0 });
    await audit(rig.home);
    t.diagnostic(
      `${provider}: ${RECIPIENTS} recipients, ${received.size} got it, ${sent} charged, ` +
        `${rows.length - sent} with a reason, by ${JSON.stringify(KILLS)} kills`,
    );
  });
}

async function openKillRig(provider: 'http' | 'smsc') {
  const port = await freePort();
  const home = createHome();
  const serviceUrl = `http://localhost:${port}`;
  const simulator: Simulator =
    provider === 'http'
      ? await startHttpProvider({ ...HTTP, delayMs: ANSWER_DELAY_MS })
      : await startSmsc({ ...SMSC, callbackUrl: `${serviceUrl}/callbacks/smsc` });
  const settings: Settings = {
    PORT: String(port),
    PUBLIC_URL: serviceUrl,
    LOG_LEVEL: 'error',
    ...(provider === 'http'
      ? { HTTP_SMS_URL: `${simulator.url}/messages`, HTTP_SMS_SECRET: HTTP.secret }
      : { SMSC_URL: simulator.url, SMSC_LOGIN: SMSC.login, SMSC_PASSWORD: SMSC.password }),
  };
  const startServer = () => home.serve({ ...settings, ROLE: 'api' });
  const startWorker = () => home.start(['serve', '--json'], { ...settings, ROLE: 'worker' });
  let server: Running = await startServer();
  const workers: Running[] = [startWorker(), startWorker()];
  const companyId = await asOperator(home.dataDir, async (tools) => {
    const created = await createCompany(tools, 'Магазин');
    await topUp(tools, { companyId: created.companyId, amount: MOST });
    return created.companyId as CompanyId;
  });
  const db = openDatabase(
    embeddedDatabase(home.dataDir),
    pino({ level: 'silent' }),
    TEST_DATABASE_TIMEOUT_MS,
  );
  const sql: RunSql = (text, values) => retry(() => db.query(text, values));
  const broadcasts = createBroadcastRig(() => ({ db }) as Context, sql);
  const taken = () => simulator.journal.taken();
  /** On a busy machine answers may come too late, and the broadcast waits a minute for the channel. */
  const resumeAtOnce = () =>
    sql(`update broadcast set resume_at = clock_timestamp(), next_tick_at = clock_timestamp()
      where pause_reason = 'channel' and resume_at > clock_timestamp()`);

  return {
    home,
    sql,
    taken,
    account: async () =>
      (
        await sql<{ balance: number; held: number }>(
          'select balance, held from account where company_id = $1',
          [companyId],
        )
      )[0] as { balance: number; held: number },
    async startBroadcast(): Promise<BroadcastId> {
      const phones = Array.from({ length: RECIPIENTS }, (_, i) => `+7701${String(1_000_000 + i)}`);
      const id = await broadcasts.draft(companyId, phones);
      await broadcasts.start(id);
      return id;
    },
    async waitForTaken(count: number): Promise<void> {
      const deadline = Date.now() + DEADLINE_MS;
      while (taken().length < count) {
        assert.ok(Date.now() < deadline, `only ${taken().length} of ${count} were sent`);
        await resumeAtOnce();
        await pause(50);
      }
    },
    act: {
      async worker() {
        await workers.shift()?.stop('SIGKILL');
        workers.push(startWorker());
      },
      async server() {
        await server.stop('SIGKILL');
        server = await startServer();
      },
      async database() {
        signalAll(home.dataDir, 'SIGKILL');
      },
      async pause(id: BroadcastId) {
        await retry(() => broadcasts.pause(id));
        await retry(() => broadcasts.resume(id));
      },
    },
    async waitUntilDone(id: BroadcastId): Promise<void> {
      const deadline = Date.now() + DEADLINE_MS;
      for (;;) {
        const [row] = await sql<{ state: string }>('select state from broadcast where id = $1', [
          id,
        ]);
        if (row?.state === 'done') return;
        assert.ok(Date.now() < deadline, `the broadcast is still ${row?.state}`);
        await resumeAtOnce();
        // Lets the leases of killed processes run out.
        await passTime(sql, 5).catch(() => undefined);
        await pause(500);
      }
    },
    async close() {
      await db.close();
      for (const running of [server, ...workers]) await running.stop('SIGKILL');
      await simulator.close();
      await home.remove();
    },
  };
}

/** The database may be starting again. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await pause(100);
  }
}
