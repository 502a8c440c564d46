import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DataFolderInUse, type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

type Report = {
  ok: boolean;
  joined: boolean;
  ms: number;
  name: string;
  message: string;
  pid: number;
};

let home: string;
let dataDir: string;
let opened: EmbeddedDatabase[];
let holders: ChildProcess[];

beforeEach(() => {
  home = createTemporaryFolder('embedded');
  dataDir = path.join(home, 'data');
  opened = [];
  holders = [];
});

afterEach(async () => {
  for (const database of opened) await database.stop();
  for (const holder of holders) await kill(holder, 'SIGKILL');
  const pid = postmasterPid();
  if (pid !== undefined && isAlive(pid)) {
    process.kill(pid, 'SIGINT');
    await until(() => !isAlive(pid));
  }
  rmSync(home, { recursive: true, force: true });
});

async function open(as: 'owner' | 'visitor'): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ dataDir, as, log: () => {} });
  opened.push(database);
  return database;
}

/** Starts another process that opens the same folder, and waits for what it says. */
async function hold(as: 'owner' | 'visitor'): Promise<{ holder: ChildProcess; report: Report }> {
  const program = path.join(import.meta.dirname, 'hold-database.ts');
  const holder = spawn(process.execPath, [program, dataDir, as], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  holders.push(holder);
  const lines = createInterface({ input: holder.stdout as NodeJS.ReadableStream });
  const [line] = (await once(lines, 'line')) as [string];
  return { holder, report: JSON.parse(line) as Report };
}

async function kill(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

function postmasterPid(): number | undefined {
  try {
    return Number.parseInt(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  } catch {
    return undefined;
  }
}

function runningPid(): number {
  const pid = postmasterPid();
  assert.ok(pid !== undefined && isAlive(pid), 'PostgreSQL should be running');
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // A killed process stays as a zombie until its parent looks; it is dead all the same.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

async function until(isDone: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!isDone()) {
    assert.ok(Date.now() < deadline, 'it should have happened by now');
    await pause(20);
  }
}

async function ask<Row extends pg.QueryResultRow>(database: EmbeddedDatabase, sql: string) {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('a first start makes a durable database that is reached by socket and password', async () => {
  const database = await open('owner');
  assert.equal(database.joined, false);
  assert.match(database.version, /^18\./);
  const settings = await ask<{ name: string; setting: string }>(
    database,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit',
      'full_page_writes', 'data_checksums', 'listen_addresses', 'TimeZone', 'server_encoding')`,
  );
  assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    listen_addresses: '',
    TimeZone: 'UTC',
    server_encoding: 'UTF8',
  });
  const [role] = await ask(database, 'select rolsuper from pg_roles where rolname = current_user');
  assert.deepEqual(role, { rolsuper: false });
  assert.equal(statSync(path.join(dataDir, 'database-password')).mode & 0o777, 0o600);
});

test('a wrong password is refused', async () => {
  const database = await open('owner');
  const stranger = { ...database, connection: { ...database.connection, password: 'guess' } };
  await assert.rejects(ask(stranger, 'select 1'), { code: '28P01' });
});

test('what was written is there after a stop and a start', async () => {
  const first = await open('owner');
  await ask(first, 'create table kept (n int)');
  await ask(first, 'insert into kept values (7)');
  const pid = runningPid();
  await first.stop();
  assert.equal(isAlive(pid), false);
  const second = await open('owner');
  assert.equal(second.joined, false);
  assert.deepEqual(await ask(second, 'select n from kept'), [{ n: 7 }]);
});

test('a second owner is refused and told who is there', async () => {
  const { holder } = await hold('owner');
  await assert.rejects(open('owner'), (error) => {
    assert.ok(error instanceof DataFolderInUse);
    assert.equal(error.pid, holder.pid);
    assert.match(error.message, /in use by another process \(pid \d+\)/);
    return true;
  });
  runningPid();
});

test('a visitor joins a running database and leaves it running', async () => {
  const owner = await open('owner');
  const pid = runningPid();
  const { holder, report } = await hold('visitor');
  assert.equal(report.joined, true);
  await kill(holder, 'SIGTERM');
  assert.equal(runningPid(), pid);
  assert.deepEqual(await ask(owner, 'select 1 as one'), [{ one: 1 }]);
});

test('a visitor alone starts the database and stops it', async () => {
  const { holder, report } = await hold('visitor');
  assert.equal(report.joined, false);
  const pid = runningPid();
  await kill(holder, 'SIGTERM');
  assert.equal(isAlive(pid), false);
  assert.equal(postmasterPid(), undefined);
});

test('a visitor leaves the database to an owner that a crash has parted from it', async () => {
  const { holder } = await hold('owner');
  const pid = runningPid();
  const guest = await open('visitor');
  // Stopped, the owner cannot come back, and the visitor finds nobody else there.
  holder.kill('SIGSTOP');
  await ask(
    guest,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname is not null and pid <> pg_backend_pid()',
  ).catch(() => undefined);
  const late = await open('visitor');
  await late.stop();
  assert.equal(runningPid(), pid);
  holder.kill('SIGCONT');
  await kill(holder, 'SIGTERM');
  await guest.stop();
  assert.equal(isAlive(pid), false);
});

test('who stops the database does not wait for the one that starts it next', async () => {
  for (let round = 0; round < 5; round++) {
    const leaving = await open('visitor');
    // The next one is stopped only after this, so that a stop that waits for it would never end.
    const [next] = await Promise.all([open('visitor'), leaving.stop()]);
    await next.stop();
  }
});

test('an owner that comes while a visitor is there inherits the database', async () => {
  const { holder } = await hold('visitor');
  const owner = await open('owner');
  const pid = runningPid();
  await kill(holder, 'SIGTERM');
  assert.equal(runningPid(), pid);
  await owner.stop();
  assert.equal(isAlive(pid), false);
});

test('after kill -9 of the owner the next start joins the database that survived', async () => {
  const { holder } = await hold('owner');
  const pid = runningPid();
  await kill(holder, 'SIGKILL');
  const next = await open('owner');
  assert.equal(next.joined, true);
  assert.equal(runningPid(), pid);
  await next.stop();
  assert.equal(isAlive(pid), false);
});

test('after kill -9 of the owner and PostgreSQL a start recovers what was committed', async () => {
  const { holder } = await hold('owner');
  const guest = await open('visitor');
  await ask(guest, 'create table kept (n int)');
  await ask(guest, 'insert into kept values (7)');
  const pid = runningPid();
  await kill(holder, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
  const next = await open('owner');
  assert.equal(next.joined, false);
  assert.notEqual(runningPid(), pid);
  assert.deepEqual(await ask(next, 'select n from kept'), [{ n: 7 }]);
});

test('a lock file whose pid belongs to another process by now does not stop a start', async () => {
  const first = await open('owner');
  const pidFile = path.join(dataDir, 'postgres/postmaster.pid');
  const text = readFileSync(pidFile, 'utf8');
  const { mode, uid, gid } = statSync(pidFile);
  await first.stop();
  const bystander = spawn('sleep', ['600'], { uid, gid, cwd: '/', stdio: 'ignore' });
  holders.push(bystander);
  writeFileSync(pidFile, text.replace(/^\d+/, String(bystander.pid)), { mode });
  const next = await open('owner');
  assert.equal(next.joined, false);
  assert.equal(isAlive(bystander.pid as number), true);
});

test('of two first starts at once one owns the folder and the other is refused', async () => {
  const both = await Promise.all([hold('owner'), hold('owner')]);
  const reports = both.map(({ report }) => report).sort((a, b) => Number(b.ok) - Number(a.ok));
  assert.deepEqual(
    reports.map(({ ok }) => ok),
    [true, false],
  );
  assert.equal(reports[1]?.name, 'DataFolderInUse');
});

test('of two visitors at once on an empty folder both get the database', async () => {
  const both = await Promise.all([hold('visitor'), hold('visitor')]);
  assert.ok(both.every(({ report }) => report.ok));
  const pid = runningPid();
  for (const { holder } of both) await kill(holder, 'SIGTERM');
  assert.equal(isAlive(pid), false);
});

test('a data folder with a very long path works', async () => {
  dataDir = path.join(home, 'long-'.repeat(30), 'data');
  const database = await open('owner');
  assert.deepEqual(await ask(database, 'select 1 as one'), [{ one: 1 }]);
  // Too long for a socket beside the data; its folder outside has to be removed by hand.
  await database.stop();
  rmSync(database.connection.host, { recursive: true });
});
