/**
 * Real processes of `zhiber`, each with a home of its own; whatever a test leaves running is ended.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { PATIENT_MS } from '../patience.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const MAIN = path.join(import.meta.dirname, '../../src/main.ts');
/** What `npm start` and `npm run zhiber` run. */
export const LAUNCHER = path.join(import.meta.dirname, '../../../scripts/run.mjs');
/** Far more than anything here takes; a machine under load must not fail a test. */
const DEADLINE_MS = 180_000;

export type Settings = Record<string, string | undefined>;
/** For what is about the limits of the service itself. */
export const AS_DELIVERED: Settings = { DATABASE_TIMEOUT_MS: undefined };
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
  /** Resolves once it has ended by itself or by a signal. */
  ended: Promise<Ended>;
  stop(signal: NodeJS.Signals): Promise<Ended>;
};

export function createHome(program = MAIN) {
  const home = createTemporaryFolder('start');
  const dataDir = path.join(home, 'data');
  const children: Running[] = [];

  const start = (args: string[], settings: Settings = {}): Running => {
    const running = startProcess([program, ...args], home, {
      DATA_DIR: dataDir,
      PORT: '0',
      DATABASE_TIMEOUT_MS: String(PATIENT_MS),
      ...settings,
    });
    children.push(running);
    return running;
  };

  return {
    dataDir,
    start,
    /** Starts the service and waits until it has said everything it says at a start. */
    async serve(settings: Settings = {}) {
      const server = start(['serve', '--json'], settings);
      await until(() => server.out().endsWith('\n'), server);
      const said = JSON.parse(server.out()) as StartJson | { error: string };
      if ('error' in said) throw new Error(`the server does not start: ${said.error}`);
      return { ...server, facts: said };
    },
    /** Runs one command to its end. */
    run: (args: string[], settings: Settings = {}) => start(args, settings).ended,
    /** Ends what a failed test has left behind, so that it does not fail the next one. */
    async endAll() {
      for (const child of children.splice(0)) await child.stop('SIGKILL');
    },
    async remove() {
      await this.endAll();
      const pid = postmasterPid(dataDir);
      if (pid !== undefined && isAlive(pid)) {
        process.kill(pid, 'SIGINT');
        await until(() => !isAlive(pid));
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function startProcess(args: string[], cwd: string, settings: Settings): Running {
  const child = spawn(process.execPath, args, {
    // Away from a checkout, whose .env would have its say.
    cwd,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...settings },
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

/** Waits for a condition, with a deadline; a process that ends meanwhile will never fulfil it. */
export async function until(isDone: () => boolean, process?: Running): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!isDone()) {
    const said = process === undefined ? '' : `: ${process.out()}${process.err()}`;
    assert.ok(Date.now() < deadline, `it should have happened by now${said}`);
    const hasEnded = process !== undefined && process.child.exitCode !== null;
    assert.ok(!hasEnded, `the process has ended${said}`);
    await pause(20);
  }
}

export function postmasterPid(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed process stays as a zombie until its parent looks; it is dead all the same.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Where the running embedded database is reached past all the code, as only a test may. */
export function embeddedDatabase(dataDir: string) {
  return {
    host: path.join(dataDir, 'postgres-socket'),
    port: 5432,
    user: 'zhiber',
    database: 'zhiber',
    password: readFileSync(path.join(dataDir, 'database-password'), 'utf8').trim(),
  };
}

/** A session on the running embedded database, past all the code, as only a test may have. */
export async function connectTo(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client(embeddedDatabase(dataDir));
  client.on('error', () => undefined); // The query under way fails with the same reason.
  await client.connect();
  return client;
}

/** Writes into the running embedded database. */
export async function plant(dataDir: string, statement: string): Promise<void> {
  const client = await connectTo(dataDir);
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export type Answer = { status: number; body: Record<string, unknown> };

/** Asks the API of a running server. */
export async function ask(
  port: number,
  question: { path: string; key?: string; body?: object; headers?: Record<string, string> },
): Promise<Answer> {
  const response = await fetch(`http://localhost:${port}/api${question.path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${question.key}`,
      'content-type': 'application/json',
      ...question.headers,
    },
    body: JSON.stringify(question.body ?? {}),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
