/**
 * Runs real `zhiber` processes, each in its own temporary folder, and ends those that a test leaves
 * running.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { bundledProgram } from '../bundled-program.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import type { RunSql } from '../harness.ts';
import { copyPreparedCluster } from '../prepared-cluster.ts';
import { queryOnce } from '../query-once.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const MAIN = bundledProgram(path.join(import.meta.dirname, '../../src/main.ts'));
/** The program behind `npm start` and `npm run zhiber`. */
export const LAUNCHER = path.join(import.meta.dirname, '../../../scripts/run.mjs');
/** Compiled code, shared by all servers and rings: a start takes half the time. */
const COMPILE_CACHE = path.join(import.meta.dirname, '../../../node_modules/.cache/compiled');
/** Generous, because a loaded machine must not fail a test. */
const DEADLINE_MS = 180_000;

export type Settings = Record<string, string | undefined>;
/** For tests of the service's own time limits; other tests use a longer database timeout. */
export const DEFAULT_TIMEOUTS: Settings = { DATABASE_TIMEOUT_MS: undefined };
export type Ended = { code: number | null; out: string; err: string };
export type StartJson = {
  port: number;
  busy_port: number | null;
  migrations: { applied: number };
  company_id: number;
  keys: { live: string; test: string } | null;
};

export type Running = {
  child: ChildProcess;
  out(): string;
  err(): string;
  /** Resolves when the process has ended, by itself or by a signal. */
  ended: Promise<Ended>;
  stop(signal: NodeJS.Signals): Promise<Ended>;
};

/** A home whose servers create their own database cluster. */
export function createEmptyHome(program = MAIN) {
  return createHome(program, false);
}

export function createHome(program = MAIN, isPrepared = true) {
  const home = createTemporaryFolder('start');
  const dataDir = path.join(home, 'data');
  const children: Running[] = [];

  const start = (args: string[], settings: Settings = {}): Running => {
    if (isPrepared && settings.DATABASE_URL === undefined && settings.DATA_DIR === undefined) {
      copyPreparedCluster(dataDir);
    }
    const running = startProcess([program, ...args], home, {
      DATA_DIR: dataDir,
      PORT: '0',
      DATABASE_TIMEOUT_MS: String(TEST_DATABASE_TIMEOUT_MS),
      ...settings,
    });
    children.push(running);
    return running;
  };

  return {
    dataDir,
    start,
    /** Starts the service and waits until it has printed its start report. */
    async serve(settings: Settings = {}) {
      const server = start(['serve', '--json'], settings);
      await waitUntil(() => server.out().endsWith('\n'), server);
      const report = JSON.parse(server.out()) as StartJson | { error: string };
      if ('error' in report) throw new Error(`the server does not start: ${report.error}`);
      return { ...server, facts: report };
    },
    /** Runs one command to its end. */
    run: (args: string[], settings: Settings = {}) => start(args, settings).ended,
    /** Kills processes that a failed test has left running, so that the next test does not fail. */
    async endAll() {
      for (const child of children.splice(0)) await child.stop('SIGKILL');
    },
    async remove() {
      await this.endAll();
      await stopPostgres(dataDir);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function startProcess(args: string[], cwd: string, settings: Settings): Running {
  const child = spawn(process.execPath, args, {
    // Outside the checkout, whose .env would change the settings.
    cwd,
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Waits for a condition, with a deadline; fails at once when the process ends. */
export async function waitUntil(isDone: () => boolean, process?: Running): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!isDone()) {
    const output = process === undefined ? '' : `: ${process.out()}${process.err()}`;
    assert.ok(Date.now() < deadline, `timed out waiting for a condition${output}`);
    const hasEnded = process !== undefined && process.child.exitCode !== null;
    assert.ok(!hasEnded, `the process has ended${output}`);
    await pause(20);
  }
}

/** Stops an embedded PostgreSQL whose server was killed. */
export async function stopPostgres(dataDir: string): Promise<void> {
  const pid = postmasterPid(dataDir);
  if (pid === undefined) return;
  const cluster = realpathSync(path.join(dataDir, 'postgres'));
  process.kill(pid, 'SIGINT');
  await waitUntil(() => !isWorkingIn(pid, cluster));
}

/**
 * The postmaster of an embedded PostgreSQL, while it lives. The pid file of a killed one remains, and
 * the system gives its pid to another process or thread before long.
 */
export function postmasterPid(dataDir: string): number | undefined {
  const cluster = path.join(dataDir, 'postgres');
  try {
    const pid = Number.parseInt(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8'), 10);
    return isWorkingIn(pid, realpathSync(cluster)) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** The working directory of every PostgreSQL process is the cluster folder. */
export function isWorkingIn(pid: number, folder: string): boolean {
  if (!existsSync('/proc/self')) return isAlive(pid);
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (!existsSync('/proc/self')) return true;
    // A killed process remains as a zombie until its parent reaps it.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The connection settings of the running embedded database. */
export function embeddedDatabase(dataDir: string) {
  return {
    host: path.join(dataDir, 'postgres-socket'),
    port: 5432,
    user: 'zhiber',
    database: 'zhiber',
    password: readFileSync(path.join(dataDir, 'database-password'), 'utf8').trim(),
  };
}

/** A direct session on the running embedded database. */
export async function connectTo(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client(embeddedDatabase(dataDir));
  client.on('error', () => undefined); // The running query fails with the same error.
  await client.connect();
  return client;
}

/** Runs SQL on the running embedded database, each time on a session of its own. */
export function createSql(dataDir: string): RunSql {
  return (text, values) => queryOnce(embeddedDatabase(dataDir), text, values);
}

export type Answer = { status: number; body: Record<string, unknown> };

/** Calls the API of a running server. */
export async function ask(
  port: number,
  call: { path: string; key?: string; body?: object; headers?: Record<string, string> },
): Promise<Answer> {
  const response = await fetch(`http://localhost:${port}/api${call.path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${call.key}`,
      'content-type': 'application/json',
      ...call.headers,
    },
    body: JSON.stringify(call.body ?? {}),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
