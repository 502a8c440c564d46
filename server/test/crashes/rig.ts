/**
 * One run: a real server process that can be killed at any moment and started again on the same
 * port and database, the operator that outlives it, and the four logs.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import pg from 'pg';
import pino from 'pino';
import { topUp } from '../../src/billing/top-up.ts';
import { systemClock } from '../../src/clock.ts';
import { createCompany } from '../../src/company/create-company.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Connection, openDatabase } from '../../src/db/database.ts';
import { openEmbedded } from '../../src/db/embedded.ts';
import { createKey } from '../../src/keys/create-key.ts';
import { readDatabase } from '../checker/database-rows.ts';
import { type Acknowledgement, type Arrangement, type Logs, openJournal } from '../checker/logs.ts';
import { isSomebodyWaiting, passTime, until } from '../harness.ts';
import { PATIENT_MS } from '../patience.ts';
import { AS_DELIVERED, createHome, type Running, type Settings } from '../start/serve-harness.ts';
import { createRunClock, openOperator } from './operator.ts';

const ENTRY = path.join(import.meta.dirname, 'serve-with-operator.ts');
/** Far beyond what a start takes; only one that hangs gets there. */
const DEADLINE_MS = 180_000;
/** The shortest fallback time a key may have, so that nobody waits longer than needed. */
const FALLBACK_SECONDS = 15;
/** At rest after so many rounds of the watch, or never. */
const REST_ROUNDS_MAX = 40;
const REST_STEP_SECONDS = 16;
const REST_PAUSE_MS = 600;

/** Compiled code, so that a start takes half the time; kept for the next start of this file. */
const COMPILED = mkdtempSync(path.join(tmpdir(), 'zhiber-compiled-'));
process.once('exit', () => rmSync(COMPILED, { recursive: true, force: true }));

export type RigKey = { keyId: number; companyId: number; key: string };
export type Rig = Awaited<ReturnType<typeof openRig>>;

/** With no connection given, the server brings its embedded database, as for a newcomer. */
export async function openRig(options: { connection?: Connection; settings?: Settings } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'zhiber-crash-'));
  const home = createHome(ENTRY);
  const clock = createRunClock();
  const [port, receiptsPort] = await freePorts();
  const operator = await openOperator({ folder, clock, receiptsPort });
  const clients = openJournal<Acknowledgement>(path.join(folder, 'clients.log'));
  const keys: Arrangement['keys'][number][] = [];
  const runs: Running[] = [];
  const besides: Running[] = [];
  const place: Settings = options.connection ? { DATABASE_URL: addressOf(options.connection) } : {};
  let looking: Promise<void> | undefined;

  const spawnServer = (settings: Settings): Running =>
    home.start(['serve'], {
      PORT: String(port),
      RECEIPTS_PORT: String(receiptsPort),
      OPERATOR_URL: operator.url,
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: COMPILED,
      ...AS_DELIVERED,
      ...place,
      ...options.settings,
      ...settings,
    });
  const start = (settings: Settings = {}): Running => {
    const running = spawnServer(settings);
    runs.push(running);
    return running;
  };

  start();
  await untilHealthy(port, runs).catch(async (error: unknown) => {
    await operator.close();
    await home.remove();
    throw error;
  });
  const embedded = options.connection
    ? undefined
    : await openEmbedded({ dataDir: home.dataDir, as: 'visitor', log: () => undefined });
  const connection = (options.connection ?? embedded?.connection) as Connection;
  const db = openDatabase(connection, pino({ level: 'silent' }), PATIENT_MS);
  const sql = <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    db.query<Row>(text, values);
  const putForward = async (seconds: number) => {
    await passTime((text) => onOwnConnection(connection, text), seconds);
    clock.pass(seconds);
  };
  const makeKey = async (settings: { channels: readonly Channel[]; companyId: number }) => {
    const companyId = settings.companyId as Parameters<typeof createKey>[1]['companyId'];
    const { channels } = settings;
    const made = await createKey(db, {
      companyId,
      name: 'ключ',
      isTest: false,
      channels,
      fallbackSeconds: FALLBACK_SECONDS,
    });
    keys.push({ keyId: made.keyId, companyId, channels, since: clock.now() });
    return { keyId: made.keyId, companyId, key: made.key };
  };

  return {
    port,
    clock,
    operator,
    clients,
    sql,
    start,
    makeKey,
    /** A company with money for thousands of sends, unless told otherwise. */
    async makeCompany(amount = 50_000): Promise<number> {
      const ctx = { db, clock: systemClock, config: readConfig({}) };
      const { companyId } = await createCompany(ctx, 'Тест');
      if (amount > 0) await topUp(ctx, { companyId, amount });
      return companyId;
    },
    async changeChannels(key: RigKey, channels: readonly Channel[]): Promise<void> {
      await sql('update api_key set channels = $2::text[]::channel[] where id = $1', [
        key.keyId,
        channels,
      ]);
      keys.push({ keyId: key.keyId, companyId: key.companyId, channels, since: clock.now() });
    },
    /** As it stands, with no chance to finish anything. */
    async kill(): Promise<void> {
      await runs.at(-1)?.stop('SIGKILL');
    },
    /** Tells the server to stop, and waits until it has ended in good order. */
    async stop(): Promise<void> {
      const ended = await runs.at(-1)?.stop('SIGTERM');
      assert.equal(ended?.code, 0, `a stop in good order: ${ended?.err}`);
    },
    /** The process stands still from now on, and goes on later as if nothing had happened. */
    freeze: () => void runs.at(-1)?.child.kill('SIGSTOP'),
    thaw: () => void runs.at(-1)?.child.kill('SIGCONT'),
    /** Another node on the same database, which serves nobody and has a watch of its own. */
    async startBeside(): Promise<void> {
      const [ownPort, ownReceiptsPort] = await freePorts();
      const beside = spawnServer({ PORT: String(ownPort), RECEIPTS_PORT: String(ownReceiptsPort) });
      await untilHealthy(ownPort, [beside]);
      besides.push(beside);
    },
    /** Waits until so many more clients have been answered in this way. */
    async untilAnswered(outcome: Acknowledgement['outcome'], count: number): Promise<void> {
      const answered = () => clients.entries.filter((ack) => ack.outcome === outcome).length;
      const enough = answered() + count;
      await until(`${count} more are ${outcome}`, async () => answered() >= enough);
    },
    async restart(settings: Settings = {}): Promise<void> {
      await runs.at(-1)?.stop('SIGTERM');
      start(settings);
      await untilHealthy(port, runs);
    },
    /** Waits until the server has died at the point it was started with, and of nothing else. */
    async crashed(point: string): Promise<void> {
      const run = runs.at(-1);
      const isDead = await within(DEADLINE_MS, run?.ended);
      assert(isDead, `${point} was never reached`);
      assert.equal(run?.child.signalCode, 'SIGKILL', `${point}: ${run?.err()}`);
    },
    /** Everybody who waits for the server waits for the same look at it. */
    healthy(): Promise<void> {
      looking ??= untilHealthy(port, runs).finally(() => {
        looking = undefined;
      });
      return looking;
    },
    /** Keeps everybody from the codes meanwhile, for less than a statement waits. */
    async holdingCodes<T>(work: (untilAwaited: () => Promise<void>) => Promise<T>): Promise<T> {
      const untilAwaited = () => until('somebody waits for a code', () => isSomebodyWaiting(sql));
      return await db.transaction(async (tx) => {
        await tx.query('select from code for update');
        return await work(untilAwaited);
      });
    },
    /** For the database and the clock of the run alike. */
    passTime: putForward,
    /** Lets time pass until nothing is under way any more, and says whether it came to that. */
    async comeToRest({
      roundsMax = REST_ROUNDS_MAX,
      stepSeconds = REST_STEP_SECONDS,
    } = {}): Promise<boolean> {
      for (let round = 0; round < roundsMax; round++) {
        if (!operator.isReporting() && (await listPending(sql)).length === 0) return true;
        if (stepSeconds > 0) await putForward(stepSeconds);
        await pause(REST_PAUSE_MS);
      }
      return false;
    },
    /** What keeps it from coming to rest. */
    pending: async () => [
      ...(operator.isReporting() ? ['receipts are being reported'] : []),
      ...(await listPending(sql)),
    ],
    async readLogs(): Promise<Logs> {
      return {
        arrangement: { prices: DEFAULT_PRICES, keys },
        database: await readDatabase(connection),
        clients: clients.entries,
        channels: operator.door.entries,
        phones: operator.phones.entries,
      };
    },
    /** What the server itself has logged as wrong, over all its lives. */
    errors: (): string[] =>
      [...runs, ...besides].flatMap((run) =>
        run
          .err()
          .split('\n')
          .filter((line) => line !== ''),
      ),
    /** Where the logs are, for whoever looks into a failure. */
    folder,
    /** Where a command finds the data of this run. */
    settings: { DATA_DIR: home.dataDir, ...place },
    async close({ isKept = false } = {}): Promise<void> {
      await db.close();
      // Whoever brought the database has nothing to close in order.
      for (const beside of besides) await beside.stop('SIGKILL');
      await runs.at(-1)?.stop(options.connection === undefined ? 'SIGTERM' : 'SIGKILL');
      await operator.close();
      await embedded?.stop();
      await home.remove();
      if (!isKept) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * What is still under way, a line each. A message needs nothing more once it is settled, confirmed or
 * given up, with no copy of its code left.
 */
async function listPending(sql: <Row>(text: string) => Promise<Row[]>): Promise<string[]> {
  const rows = await sql<{ line: string }>(`
    select 'message ' || id || ' ' || concat_ws(' ', state, receipt, 'route', route, 'hold', hold, 'attempt', attempt)
      as line
    from message where state = 'sending' or hold > 0
      or state = 'sent' and (receipt is null or receipt < 'delivered' and route <> '')
    union all
    select 'attempt ' || number || ' of ' || message_id from attempt where state = 'sending'
    union all
    select 'code of ' || c.message_id || ' ' || concat_ws(' ', m.state, m.receipt, 'route', m.route)
    from code c left join message m on m.company_id = c.company_id and m.id = c.message_id
    where c.sealed is not null
    union all
    select 'receipt ' || receipt || ' of ' || message_id from early_receipt`);
  return rows.map(({ line }) => line);
}

/** Every row of a table at once takes longer than a statement of the service may. */
async function onOwnConnection<Row>(connection: Connection, text: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function untilHealthy(port: number, runs: Running[]): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const status = await fetch(`http://localhost:${port}/api/health`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    const run = runs.at(-1);
    assert(Date.now() < deadline, `the server never became healthy: ${run?.err()}`);
    // One that was told to stop has ended well, and is about to be started again.
    assert((run?.child.exitCode ?? 0) === 0, `the server has ended: ${run?.err()}`);
    await pause(20);
  }
}

async function within(ms: number, done: Promise<unknown> | undefined): Promise<boolean> {
  const limit = new AbortController();
  const isLate = pause(ms, false, { signal: limit.signal }).catch(() => false);
  const isDone = await Promise.race([Promise.resolve(done).then(() => true), isLate]);
  limit.abort();
  return isDone;
}

function addressOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { host, port, user, password = '', database } = connection;
  const rest = new URLSearchParams({ host, port: String(port), user, password });
  return `postgresql:///${database}?${rest}`;
}

/** Two ports that are free now; the server keeps them over all its lives. */
async function freePorts(): Promise<[number, number]> {
  const probes = [createServer().listen(0, 'localhost'), createServer().listen(0, 'localhost')];
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => (probe.address() as { port: number }).port);
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports as [number, number];
}
