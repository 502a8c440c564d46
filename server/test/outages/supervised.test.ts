import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DataFolderInUse, type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded.ts';
import { connectTo, isAlive, postmasterPid, until } from '../start/serve-harness.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { findProcesses, signalAll, signalOne } from './postgres-processes.ts';

let home: string;
let dataDir: string;
let lines: { line: string; level: string }[];
let opened: EmbeddedDatabase[];

beforeEach(() => {
  home = createTemporaryFolder('supervised');
  dataDir = path.join(home, 'data');
  lines = [];
  opened = [];
});

afterEach(async () => {
  signalAll(dataDir, 'SIGCONT');
  for (const database of opened) await database.stop();
  signalAll(dataDir, 'SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

async function open(as: 'owner' | 'visitor'): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({
    dataDir,
    as,
    log: (line, level) => {
      if (level !== 'debug') lines.push({ line, level });
    },
  });
  opened.push(database);
  return database;
}

const isBack = (said: RegExp) => until(() => lines.some(({ line }) => said.test(line)));

const DIED = /^PostgreSQL had died, and runs again after \d+\.\d s\.$/;
const ONLY_LOST = /^The connection to PostgreSQL was lost, and is back after \d+\.\d s\.$/;

async function ask(sql: string): Promise<unknown[]> {
  const client = await connectTo(dataDir);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('a PostgreSQL that died runs again, is owned as before, and is stopped in the end', async () => {
  const owner = await open('owner');
  await ask('create table kept (n int)');
  await ask('insert into kept values (7)');
  for (let round = 1; round <= 2; round++) {
    const { postmaster } = signalAll(dataDir, 'SIGKILL');
    await until(() => lines.length === round);
    assert.match(lines.at(-1)?.line ?? '', DIED);
    assert.notEqual(postmasterPid(dataDir), postmaster);
    assert.deepEqual(await ask('select n from kept'), [{ n: 7 }]);
    await assert.rejects(open('owner'), DataFolderInUse);
  }
  const pid = postmasterPid(dataDir) as number;
  await owner.stop();
  assert.equal(isAlive(pid), false);
  assert.equal(postmasterPid(dataDir), undefined, 'and stays so');
});

test('a stop in the middle of an outage leaves nothing running', async () => {
  const owner = await open('owner');
  signalAll(dataDir, 'SIGKILL');
  await owner.stop();
  // The killed ones may take a moment to be gone; one that was started again would stay.
  await until(() => {
    const { postmaster, children } = findProcesses(dataDir);
    return children.length === 0 && !isAlive(postmaster);
  });
});

test('a survivor of the old server is waited for', async () => {
  await open('owner');
  const session = await connectTo(dataDir);
  // Busy, so that it does not notice the death of its parent.
  const asleep = session.query('select count(*) from generate_series(1, 5000000)');
  asleep.catch(() => undefined);
  await until(() => findProcesses(dataDir).children.length > 0);
  signalOne(findProcesses(dataDir).postmaster, 'SIGKILL');
  await isBack(DIED);
  assert.deepEqual(await ask('select 1 as one'), [{ one: 1 }]);
});

test('a command that was there goes on, and its end does not stop the database', async () => {
  await open('owner');
  const program = path.join(import.meta.dirname, '../start/hold-database.ts');
  const visitor = spawn(process.execPath, [program, dataDir, 'visitor'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(visitor.stdout as NodeJS.ReadableStream, 'data');
  signalAll(dataDir, 'SIGKILL');
  await isBack(DIED);
  assert.equal(visitor.exitCode, null, 'the command lives');
  visitor.kill('SIGTERM');
  const [code] = (await once(visitor, 'exit')) as [number];
  assert.equal(code, 0);
  assert.deepEqual(await ask('select 1 as one'), [{ one: 1 }]);
});

test('a PostgreSQL that hangs is neither killed nor replaced, whatever becomes of the connection', async () => {
  await open('owner');
  const { postmaster } = findProcesses(dataDir);
  const [presence] = (await ask(
    "select pid from pg_stat_activity where application_name like 'zhiber owner%'",
  )) as { pid: number }[];
  signalOne(postmaster, 'SIGSTOP');
  signalOne(presence?.pid as number, 'SIGTERM');
  await until(() => !isAlive(presence?.pid as number));
  // Long enough for a start, had there been one.
  await pause(1_000);
  assert.equal(postmasterPid(dataDir), postmaster);
  assert.deepEqual(lines, []);
  signalOne(postmaster, 'SIGCONT');
  await isBack(ONLY_LOST);
  assert.equal(postmasterPid(dataDir), postmaster);
});

test('a PostgreSQL that does not start is tried again, and every failure told with its reason', async () => {
  await open('owner');
  const control = path.join(dataDir, 'postgres/global/pg_control');
  renameSync(control, `${control}-away`);
  signalAll(dataDir, 'SIGKILL');
  await until(() => lines.length > 0);
  for (const { line, level } of lines) {
    assert.equal(level, 'error');
    assert.match(line, /^PostgreSQL has been away for \d+\.\d s; next try in 0\.\d s\./);
    assert.match(line, /could not open file .*pg_control/);
  }
  renameSync(`${control}-away`, control);
  await isBack(DIED);
});
