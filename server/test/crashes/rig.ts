/**
 * One run: a real server process that can be killed at any moment and started again on the same
 * port and database, the provider simulator that survives it, and the four logs.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, toConnection } from '../../src/db/connection.ts';
import { openEmbedded } from '../../src/db/embedded.ts';
import { bundledProgram } from '../bundled-program.ts';
import { type Acknowledgement, openJournal } from '../checker/logs.ts';
import type { ServerConnection } from '../copy-database.ts';
import { freePort } from '../free-port.ts';
import { hasLockWaiter, until } from '../harness.ts';
import {
  createHome,
  DEFAULT_TIMEOUTS,
  type Running,
  type Settings,
} from '../start/serve-harness.ts';
import { findPreviousRelease, releasedProgram } from '../start/upgrade/release.ts';
import { toDatabaseUrl } from '../test-database.ts';
import { createRunClock, openProviderSimulator } from './provider-simulator.ts';
import { openRunRecords } from './run-records.ts';

const ENTRY = path.join(import.meta.dirname, 'serve-with-simulator.ts');
/** Far longer than a start takes, so only a hanging server reaches it. */
const DEADLINE_MS = 180_000;

export type Rig = Awaited<ReturnType<typeof openRig>>;

/** Whose program runs: of these files, or of the release before. */
export type ProgramVersion = 'current' | 'previous';

export type RigOptions = {
  connection?: ServerConnection;
  settings?: Settings;
  /** What runs first; the other one only after `previous`. */
  version?: ProgramVersion;
};

/** Without a connection, the server starts its embedded database. */
export async function openRig(options: RigOptions = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'zhiber-crash-'));
  // A fault is planted in the source.
  const isPlanted = options.settings?.PLANTED_FAULT !== undefined;
  const home = createHome(isPlanted ? ENTRY : bundledProgram(ENTRY));
  const previous =
    options.version === 'previous'
      ? createHome(releasedProgram(findPreviousRelease(), 'serve-with-simulator'))
      : home;
  let version = options.version ?? 'current';
  const clock = createRunClock();
  const port = await freePort();
  const receiptsPort = await freePort();
  const provider = await openProviderSimulator({
    folder,
    clock,
    receiptsPort: () => receiptsPort,
  });
  const clients = openJournal<Acknowledgement>(path.join(folder, 'clients.log'));
  const runs: Running[] = [];
  const secondNodes: Running[] = [];
  const databaseUrl = options.connection && toDatabaseUrl(options.connection);
  const databaseSettings: Settings = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  let healthCheck: Promise<void> | undefined;

  const spawnServer = (settings: Settings): Running =>
    (version === 'current' ? home : previous).start(['serve'], {
      ...(version === 'previous' && { DATA_DIR: home.dataDir }),
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
    await previous.endAll();
    await home.remove();
    throw error;
  });
  const embedded = options.connection
    ? undefined
    : await openEmbedded({ dataDir: home.dataDir, as: 'visitor', log: () => undefined });
  const connection = (
    databaseUrl === undefined ? embedded?.connection : toConnection(databaseUrl)
  ) as Connection;
  const records = openRunRecords({ connection, clock, provider, clients });
  const { sql } = records;

  return {
    ...records,
    port,
    clock,
    provider,
    clients,
    start,
    /** Later starts are of this version. */
    use(next: ProgramVersion) {
      version = next;
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
      return await records.db.transaction(async (tx) => {
        await tx.query('select from code for update');
        return await work(waitForWaiter);
      });
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
      await records.close();
      // Only a server with an embedded database has to shut it down properly.
      for (const node of secondNodes) await node.stop('SIGKILL');
      await runs.at(-1)?.stop(options.connection === undefined ? 'SIGTERM' : 'SIGKILL');
      await provider.close();
      await embedded?.stop();
      await previous.endAll();
      await home.remove();
      if (!isKept) rmSync(folder, { recursive: true, force: true });
    },
  };
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
