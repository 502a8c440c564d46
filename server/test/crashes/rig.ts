/**
 * One run: a real server process that can be killed at any moment and started again on the same
 * port and database, the provider simulator that survives it, and the four logs.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import pino from 'pino';
import { systemClock } from '../../src/clock.ts';
import { createCompany } from '../../src/company/create-company.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Connection, openDatabase } from '../../src/db/database.ts';
import { openEmbedded } from '../../src/db/embedded.ts';
import { createKey } from '../../src/keys/manage-keys.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { bundledProgram } from '../bundled-program.ts';
import { readDatabase } from '../checker/database-rows.ts';
import { type Acknowledgement, type Logs, openJournal, type RunSetup } from '../checker/logs.ts';
import type { ServerConnection } from '../copy-database.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import { freePort } from '../free-port.ts';
import { hasLockWaiter, passTime, until } from '../harness.ts';
import { queryOnce } from '../query-once.ts';
import {
  createHome,
  DEFAULT_TIMEOUTS,
  type Running,
  type Settings,
} from '../start/serve-harness.ts';
import { toDatabaseUrl } from '../test-database.ts';
import { createRunClock, openProviderSimulator } from './provider-simulator.ts';

const ENTRY = path.join(import.meta.dirname, 'serve-with-simulator.ts');
/** Far longer than a start takes, so only a hanging server reaches it. */
const DEADLINE_MS = 180_000;
/** The shortest fallback time a key may have, to keep the runs short. */
const FALLBACK_SECONDS = 15;
/** A service that is not idle after this many rounds of the watch never will be. */
const IDLE_ROUNDS_MAX = 40;
const IDLE_STEP_SECONDS = 16;
const IDLE_PAUSE_MS = 600;

export type RigKey = { keyId: number; companyId: number; key: string };
export type Rig = Awaited<ReturnType<typeof openRig>>;

/** Without a connection, the server starts its embedded database. */
export async function openRig(
  options: { connection?: ServerConnection; settings?: Settings } = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'zhiber-crash-'));
  // A fault is planted in the source.
  const isPlanted = options.settings?.PLANTED_FAULT !== undefined;
  const home = createHome(isPlanted ? ENTRY : bundledProgram(ENTRY));
  const clock = createRunClock();
  const port = await freePort();
  const receiptsPort = await freePort();
  const provider = await openProviderSimulator({ folder, clock, receiptsPort });
  const clients = openJournal<Acknowledgement>(path.join(folder, 'clients.log'));
  const keys: RunSetup['keys'][number][] = [];
  const runs: Running[] = [];
  const secondNodes: Running[] = [];
  const databaseSettings: Settings = options.connection
    ? { DATABASE_URL: toDatabaseUrl(options.connection) }
    : {};
  let healthCheck: Promise<void> | undefined;

  const spawnServer = (settings: Settings): Running =>
    home.start(['serve'], {
      PORT: String(port),
      RECEIPTS_PORT: String(receiptsPort),
      PROVIDER_URL: provider.url,
      LOG_LEVEL: 'error',
      ...DEFAULT_TIMEOUTS,
      ...databaseSettings,
      ...options.settings,
      ...settings,
    });
  const start = (settings: Settings = {}): Running => {
    const running = spawnServer(settings);
    runs.push(running);
    return running;
  };

  start();
  await pollHealth(port, runs).catch(async (error: unknown) => {
    await provider.close();
    await home.remove();
    throw error;
  });
  const embedded = options.connection
    ? undefined
    : await openEmbedded({ dataDir: home.dataDir, as: 'visitor', log: () => undefined });
  const connection = (options.connection ?? embedded?.connection) as Connection;
  const db = openDatabase(connection, pino({ level: 'silent' }), TEST_DATABASE_TIMEOUT_MS);
  const sql = <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    db.query<Row>(text, values);
  const advanceTime = async (seconds: number) => {
    // Updating every row of a table takes longer than the statement timeout of the service.
    await passTime((text) => queryOnce(connection, text), seconds);
    clock.advance(seconds);
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
    provider,
    clients,
    sql,
    start,
    makeKey,
    /** By default with the money for thousands of sends. */
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
    /** Ends the server with no chance to finish anything. */
    async kill(): Promise<void> {
      await runs.at(-1)?.stop('SIGKILL');
    },
    /** Shuts the server down and checks that it exits cleanly. */
    async stop(): Promise<void> {
      const ended = await runs.at(-1)?.stop('SIGTERM');
      assert.equal(ended?.code, 0, `the server exits cleanly: ${ended?.err}`);
    },
    /** Suspends the process until `resume`. */
    suspend: () => void runs.at(-1)?.child.kill('SIGSTOP'),
    resume: () => void runs.at(-1)?.child.kill('SIGCONT'),
    /** Starts another node on the same database. It gets no requests, but runs its own watch. */
    async startSecondNode(): Promise<void> {
      const ownPort = await freePort();
      const ownReceiptsPort = await freePort();
      const node = spawnServer({ PORT: String(ownPort), RECEIPTS_PORT: String(ownReceiptsPort) });
      await pollHealth(ownPort, [node]);
      secondNodes.push(node);
    },
    /** Waits until this many more requests had this outcome. */
    async waitForAnswers(outcome: Acknowledgement['outcome'], count: number): Promise<void> {
      const answered = () => clients.entries.filter((ack) => ack.outcome === outcome).length;
      const enough = answered() + count;
      await until(`${count} more requests are ${outcome}`, async () => answered() >= enough);
    },
    async restart(settings: Settings = {}): Promise<void> {
      await runs.at(-1)?.stop('SIGTERM');
      start(settings);
      await pollHealth(port, runs);
    },
    /** Waits until the server has killed itself at its crash point, and for no other reason. */
    async waitForCrash(point: string): Promise<void> {
      const run = runs.at(-1);
      const hasExited = await isDoneWithin(DEADLINE_MS, run?.ended);
      assert(hasExited, `${point} was never reached`);
      assert.equal(run?.child.signalCode, 'SIGKILL', `${point}: ${run?.err()}`);
    },
    /** All clients that wait for the server share one health check. */
    waitUntilHealthy(): Promise<void> {
      healthCheck ??= pollHealth(port, runs).finally(() => {
        healthCheck = undefined;
      });
      return healthCheck;
    },
    /** Runs `work` with all codes locked. It must take less time than the statement timeout. */
    async withCodesLocked<T>(work: (waitForWaiter: () => Promise<void>) => Promise<T>): Promise<T> {
      const waitForWaiter = () => until('a statement waits for a code', () => hasLockWaiter(sql));
      return await db.transaction(async (tx) => {
        await tx.query('select from code for update');
        return await work(waitForWaiter);
      });
    },
    /** Advances the times in the database and the clock of the run. */
    passTime: advanceTime,
    /** Advances time until no work is left. False when that never happens. */
    async waitUntilIdle({
      roundsMax = IDLE_ROUNDS_MAX,
      stepSeconds = IDLE_STEP_SECONDS,
    } = {}): Promise<boolean> {
      for (let round = 0; round < roundsMax; round++) {
        if (!provider.isReporting() && (await listPending(sql)).length === 0) return true;
        if (stepSeconds > 0) await advanceTime(stepSeconds);
        await pause(IDLE_PAUSE_MS);
      }
      return false;
    },
    /** Describes the work that is left. */
    pending: async () => [
      ...(provider.isReporting() ? ['receipts are being reported'] : []),
      ...(await listPending(sql)),
    ],
    async readLogs(): Promise<Logs> {
      return {
        setup: { prices: DEFAULT_PRICES, keys },
        database: await readDatabase(connection),
        clients: clients.entries,
        channels: provider.channels.entries,
        phones: provider.phones.entries,
      };
    },
    /** Everything that the servers of this run have logged as an error. */
    errors: (): string[] =>
      [...runs, ...secondNodes].flatMap((run) =>
        run
          .err()
          .split('\n')
          .filter((line) => line !== ''),
      ),
    /** Where the logs are, to investigate a failure. */
    folder,
    /** The settings with which a command finds the database of this run. */
    settings: { DATA_DIR: home.dataDir, ...databaseSettings },
    async close({ isKept = false } = {}): Promise<void> {
      await db.close();
      // Only a server with an embedded database has to shut it down properly.
      for (const node of secondNodes) await node.stop('SIGKILL');
      await runs.at(-1)?.stop(options.connection === undefined ? 'SIGTERM' : 'SIGKILL');
      await provider.close();
      await embedded?.stop();
      await home.remove();
      if (!isKept) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Describes unfinished work, a line each. A message is finished when it is settled, its receipt or
 * its last fallback is done, and no sealed copy of its code is left.
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

async function pollHealth(port: number, runs: Running[]): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const status = await fetch(`http://localhost:${port}/api/health`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    const run = runs.at(-1);
    assert(Date.now() < deadline, `the server never became healthy: ${run?.err()}`);
    // Exit code 0 is a shutdown, after which the test starts the server again.
    assert((run?.child.exitCode ?? 0) === 0, `the server has exited: ${run?.err()}`);
    await pause(20);
  }
}

async function isDoneWithin(ms: number, done: Promise<unknown> | undefined): Promise<boolean> {
  const limit = new AbortController();
  const isLate = pause(ms, false, { signal: limit.signal }).catch(() => false);
  const isDone = await Promise.race([Promise.resolve(done).then(() => true), isLate]);
  limit.abort();
  return isDone;
}
