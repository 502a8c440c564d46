import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, beforeEach, test } from 'node:test';
import { DataFolderInUse, type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded.ts';
import { queryOnce } from '../query-once.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { isAlive, postmasterPid, stopPostgres } from './serve-harness.ts';

type Report = {
  ok: boolean;
  joined: boolean;
  ms: number;
  name: string;
  message: string;
  pid: number;
};

/** Most tests share one data folder, because creating a cluster takes a second. */
const home = createTemporaryFolder('embedded');
const SHARED = path.join(home, 'shared');
let dataDir: string;
let opened: EmbeddedDatabase[];
let holders: ChildProcess[];

beforeEach(() => {
  dataDir = SHARED;
  opened = [];
  holders = [];
});

afterEach(async () => {
  for (const database of opened) await database.stop();
  for (const holder of holders) await kill(holder, 'SIGKILL');
  await stopPostgres(dataDir);
});
after(() => rmSync(home, { recursive: true, force: true }));

async function open(as: 'owner' | 'visitor'): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ dataDir, as, log: () => {} });
  opened.push(database);
  return database;
}

/** Starts another process that opens the same folder, and waits for its report. */
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
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

function runningPid(): number {
  const pid = postmasterPid(dataDir);
  assert.ok(pid !== undefined && isAlive(pid), 'PostgreSQL should be running');
  return pid;
}

function query<Row>(database: EmbeddedDatabase, sql: string): Promise<Row[]> {
  return queryOnce(database.connection, sql);
}

test('a first start creates a durable database that is reached by socket and password', async () => {
  const database = await open('owner');
  assert.equal(database.joined, false);
  assert.match(database.version, /^18\./);
  const settings = await query<{ name: string; setting: string }>(
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
  const [role] = await query(
    database,
    'select rolsuper from pg_roles where rolname = current_user',
  );
  assert.deepEqual(role, { rolsuper: false });
  assert.equal(statSync(path.join(dataDir, 'database-password')).mode & 0o777, 0o600);
});

test('a wrong password is refused', async () => {
  const database = await open('owner');
  const wrongPassword = { ...database, connection: { ...database.connection, password: 'guess' } };
  await assert.rejects(query(wrongPassword, 'select 1'), { code: '28P01' });
});

test('data survives a stop and a start', async () => {
  const first = await open('owner');
  await query(first, 'create table kept (n int)');
  await query(first, 'insert into kept values (7)');
  const pid = runningPid();
  await first.stop();
  assert.equal(isAlive(pid), false);
  const second = await open('owner');
  assert.equal(second.joined, false);
  assert.deepEqual(await query(second, 'select n from kept'), [{ n: 7 }]);
});

test('a second owner is refused, with the pid of the first', async () => {
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
  assert.deepEqual(await query(owner, 'select 1 as one'), [{ one: 1 }]);
});

test('a visitor without an owner starts the database and stops it', async () => {
  const { holder, report } = await hold('visitor');
  assert.equal(report.joined, false);
  const pid = runningPid();
  await kill(holder, 'SIGTERM');
  assert.equal(isAlive(pid), false);
  assert.equal(postmasterPid(dataDir), undefined);
});

test('a visitor does not stop a database whose owner has lost its connection', async () => {
  const { holder } = await hold('owner');
  const pid = runningPid();
  const visitor = await open('visitor');
  // A stopped owner cannot reconnect, so the visitor sees no other session.
  holder.kill('SIGSTOP');
  await query(
    visitor,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname is not null and pid <> pg_backend_pid()',
  ).catch(() => undefined);
  const secondVisitor = await open('visitor');
  await secondVisitor.stop();
  assert.equal(runningPid(), pid);
  holder.kill('SIGCONT');
  await kill(holder, 'SIGTERM');
  await visitor.stop();
  assert.equal(isAlive(pid), false);
});

test('a stop does not wait for the process that starts the database next', async () => {
  for (let round = 0; round < 5; round++) {
    const leaving = await open('visitor');
    // The next visitor stops only afterwards, so a stop that waits for it would never end.
    const [next] = await Promise.all([open('visitor'), leaving.stop()]);
    await next.stop();
  }
});

test('an owner that joins a visitor’s database takes it over', async () => {
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
  const visitor = await open('visitor');
  await query(visitor, 'create table committed (n int)');
  await query(visitor, 'insert into committed values (7)');
  const pid = runningPid();
  await kill(holder, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
  const next = await open('owner');
  assert.equal(next.joined, false);
  assert.notEqual(runningPid(), pid);
  assert.deepEqual(await query(next, 'select n from committed'), [{ n: 7 }]);
});

test('a stale lock file whose pid was reused by another process does not prevent a start', async () => {
  const first = await open('owner');
  const pidFile = path.join(dataDir, 'postgres/postmaster.pid');
  const text = readFileSync(pidFile, 'utf8');
  const { mode, uid, gid } = statSync(pidFile);
  await first.stop();
  const bystander = spawn('sleep', ['600'], { uid, gid, cwd: '/', stdio: 'ignore' });
  holders.push(bystander);
  writeFileSync(pidFile, text.replace(/^\d+/, String(bystander.pid)), { mode });
  assert.equal(postmasterPid(dataDir), undefined);
  const next = await open('owner');
  assert.equal(next.joined, false);
  assert.equal(isAlive(bystander.pid as number), true);
});

test('of two concurrent first starts, one owns the folder and the other is refused', async () => {
  dataDir = path.join(home, 'two-owners');
  const both = await Promise.all([hold('owner'), hold('owner')]);
  const reports = both.map(({ report }) => report).sort((a, b) => Number(b.ok) - Number(a.ok));
  assert.deepEqual(
    reports.map(({ ok }) => ok),
    [true, false],
  );
  assert.equal(reports[1]?.name, 'DataFolderInUse');
});

test('two concurrent visitors on an empty folder both get the database', async () => {
  dataDir = path.join(home, 'two-visitors');
  const both = await Promise.all([hold('visitor'), hold('visitor')]);
  assert.ok(both.every(({ report }) => report.ok));
  const pid = runningPid();
  for (const { holder } of both) await kill(holder, 'SIGTERM');
  assert.equal(isAlive(pid), false);
});

test('a data folder with a very long path works', async () => {
  dataDir = path.join(home, 'long-'.repeat(30), 'data');
  const database = await open('owner');
  assert.deepEqual(await query(database, 'select 1 as one'), [{ one: 1 }]);
  // The path is too long for a socket, so the socket folder is elsewhere and not removed with home.
  await database.stop();
  rmSync(database.connection.host, { recursive: true });
});
