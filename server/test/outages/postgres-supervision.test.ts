import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DataFolderInUse, type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded.ts';
import { connectTo, createSql, isAlive, postmasterPid, waitUntil } from '../start/serve-harness.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { findProcesses, signalAll, signalOne } from './postgres-processes.ts';

/** One cluster for all tests, because creating one takes a second. */
const home = createTemporaryFolder('supervised');
const dataDir = path.join(home, 'data');
let lines: { line: string; level: string }[];
let opened: EmbeddedDatabase[];

beforeEach(() => {
  lines = [];
  opened = [];
});

afterEach(async () => {
  signalAll(dataDir, 'SIGCONT');
  for (const database of opened) await database.stop();
  signalAll(dataDir, 'SIGKILL');
  await waitUntil(hasNoProcess);
});
after(() => rmSync(home, { recursive: true, force: true }));

function hasNoProcess(): boolean {
  const { postmaster, children } = findProcesses(dataDir);
  return children.length === 0 && (postmaster === 0 || !isAlive(postmaster));
}

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

const waitForLog = (pattern: RegExp) =>
  waitUntil(() => lines.some(({ line }) => pattern.test(line)));

const DIED = /^PostgreSQL died and was restarted after \d+\.\d s\.$/;
const ONLY_LOST = /^The connection to PostgreSQL was lost and restored after \d+\.\d s\.$/;

const ask = (sql: string) => createSql(dataDir)(sql);

test('a PostgreSQL that died is restarted, keeps its owner, and stops with the owner', async () => {
  const owner = await open('owner');
  await ask('create table kept (n int)');
  await ask('insert into kept values (7)');
  for (let round = 1; round <= 2; round++) {
    const { postmaster } = signalAll(dataDir, 'SIGKILL');
    await waitUntil(() => lines.length === round);
    assert.match(lines.at(-1)?.line ?? '', DIED);
    assert.notEqual(postmasterPid(dataDir), postmaster);
    assert.deepEqual(await ask('select n from kept'), [{ n: 7 }]);
    await assert.rejects(open('owner'), DataFolderInUse);
  }
  const pid = postmasterPid(dataDir) as number;
  await owner.stop();
  assert.equal(isAlive(pid), false);
  assert.equal(
    postmasterPid(dataDir),
    undefined,
    'PostgreSQL must not be restarted after the stop',
  );
});

test('after the crash of one process PostgreSQL does not go on: it is restarted', async () => {
  await open('owner');
  const session = await connectTo(dataDir);
  const [backend] = (await session.query('select pg_backend_pid() as pid')).rows;
  const before = postmasterPid(dataDir);
  signalOne(backend.pid, 'SIGKILL');
  await waitForLog(DIED);
  assert.notEqual(postmasterPid(dataDir), before);
  assert.deepEqual(await ask('select 1 as one'), [{ one: 1 }]);
});

test('a stop during an outage leaves no process running', async () => {
  const owner = await open('owner');
  signalAll(dataDir, 'SIGKILL');
  await owner.stop();
  // Killed processes may take a moment to disappear; a restarted one would stay.
  await waitUntil(hasNoProcess);
});

test('the restart waits for a surviving backend of the old postmaster', async () => {
  await open('owner');
  const session = await connectTo(dataDir);
  // Busy, so that it does not notice the death of its parent.
  const busyQuery = session.query('select count(*) from generate_series(1, 5000000)');
  busyQuery.catch(() => undefined);
  await waitUntil(() => findProcesses(dataDir).children.length > 0);
  signalOne(findProcesses(dataDir).postmaster, 'SIGKILL');
  await waitForLog(DIED);
  assert.deepEqual(await ask('select 1 as one'), [{ one: 1 }]);
});

test('a command survives the restart, and its end does not stop the database', async () => {
  await open('owner');
  const program = path.join(import.meta.dirname, '../start/hold-database.ts');
  const visitor = spawn(process.execPath, [program, dataDir, 'visitor'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(visitor.stdout as NodeJS.ReadableStream, 'data');
  signalAll(dataDir, 'SIGKILL');
  await waitForLog(DIED);
  assert.equal(visitor.exitCode, null, 'the command must survive');
  visitor.kill('SIGTERM');
  const [code] = (await once(visitor, 'exit')) as [number];
  assert.equal(code, 0);
  assert.deepEqual(await ask('select 1 as one'), [{ one: 1 }]);
});

test('a PostgreSQL that hangs is neither killed nor replaced, even when the connection is lost', async () => {
  await open('owner');
  const { postmaster } = findProcesses(dataDir);
  const [ownerSession] = (await ask(
    "select pid from pg_stat_activity where application_name like 'zhiber owner%'",
  )) as { pid: number }[];
  signalOne(postmaster, 'SIGSTOP');
  signalOne(ownerSession?.pid as number, 'SIGTERM');
  await waitUntil(() => !isAlive(ownerSession?.pid as number));
  // Long enough for a wrong restart to happen.
  await pause(1_000);
  assert.equal(postmasterPid(dataDir), postmaster);
  assert.deepEqual(lines, []);
  signalOne(postmaster, 'SIGCONT');
  await waitForLog(ONLY_LOST);
  assert.equal(postmasterPid(dataDir), postmaster);
});

test('a failing start of PostgreSQL is retried, and every failure is logged with its reason', async () => {
  await open('owner');
  const control = path.join(dataDir, 'postgres/global/pg_control');
  renameSync(control, `${control}-away`);
  signalAll(dataDir, 'SIGKILL');
  await waitUntil(() => lines.length > 0);
  for (const { line, level } of lines) {
    assert.equal(level, 'error');
    assert.match(line, /^PostgreSQL has been away for \d+\.\d s; next try in 0\.\d s\./);
    assert.match(line, /could not open file .*pg_control/);
  }
  renameSync(`${control}-away`, control);
  await waitForLog(DIED);
});
