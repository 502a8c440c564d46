import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { IS_FULL } from '../is-full.ts';
import { createHome, isAlive, waitUntil } from '../start/serve-harness.ts';
import { type Call, countOutcomes, type Load, startLoad } from './load-client.ts';
import {
  assertAnsweredInTime,
  assertNothingLost,
  type OutageServer,
  openServer,
  promisedLimit,
} from './outage-server.ts';
import { signalAll } from './postgres-processes.ts';

const DATA_MB = 160;
const WAL_MB = 96;
const PEOPLE = 32;
const ANSWER_LIMIT_MS = promisedLimit(2_000);
/** The restart attempts have growing pauses, and PostgreSQL needs time for recovery. */
const BACK_LIMIT_MS = promisedLimit(30_000);
const FULL_FOR_CALLS = IS_FULL ? 2_000 : 200;

const skipReason = findSkipReason();
const home = createHome();
const walDir = path.join(home.dataDir, 'postgres/pg_wal');
const mounts: string[] = [];
let server: OutageServer;

/** Why the test is skipped; undefined when it can run. */
function findSkipReason(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'a small disk can only be mounted by root on Linux';
  }
  const dir = mkdtempSync(path.join(tmpdir(), 'zhiber-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', dir], { stdio: 'ignore' });
    execFileSync('umount', [dir]);
    return undefined;
  } catch {
    return 'this system does not let root mount a file system';
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function mountSmallDisk(dir: string, megabytes: number): void {
  mkdirSync(dir, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', dir]);
  mounts.push(dir);
}

/** Moves the WAL of PostgreSQL to a separate small disk, so that each can fill up alone. */
function moveWal(): void {
  const { uid, gid } = statSync(walDir);
  const kept = `${walDir}-kept`;
  renameSync(walDir, kept);
  mountSmallDisk(walDir, WAL_MB);
  cpSync(kept, walDir, { recursive: true, preserveTimestamps: true });
  execFileSync('chown', ['-R', `${uid}:${gid}`, walDir]);
  chownSync(walDir, uid, gid);
  chmodSync(walDir, 0o700);
  rmSync(kept, { recursive: true });
}

before(async () => {
  if (skipReason !== undefined) return;
  mountSmallDisk(home.dataDir, DATA_MB);
  server = await openServer({}, home);
  const { keys } = server.process.facts;
  await server.process.stop('SIGTERM');
  moveWal();
  const restarted = await home.serve();
  server = {
    ...server,
    process: restarted,
    pid: restarted.child.pid as number,
    live: { port: restarted.facts.port, key: (keys as { live: string }).live },
  };
});
after(async () => {
  await home.endAll();
  if (skipReason === undefined) signalAll(home.dataDir, 'SIGKILL');
  for (const dir of mounts.toReversed()) execFileSync('umount', ['-l', dir]);
  await home.remove();
});

/** Fills the disk. Returns a function that frees the space. */
function fill(dir: string): () => void {
  const ballast = path.join(dir, 'ballast');
  const file = openSync(ballast, 'w');
  for (const size of [1_000_000, 4_096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
  return () => rmSync(ballast);
}

/** Writes to the WAL until its preallocated segments are used up and PostgreSQL stops. */
async function fillWal(): Promise<void> {
  const message = "select pg_logical_emit_message(true, 'ballast', repeat('x', 4000000))";
  for (let written = 0; written < 2 * WAL_MB; written += 4) {
    const isGone = await server.sql(message).then(
      () => false,
      () => true,
    );
    if (isGone) return;
  }
  assert.fail('the WAL did not fill up');
}

/** Fills a disk under load until sends are refused, frees it, and waits for the first success. */
async function fillOnce(load: Load, dir: string): Promise<{ calls: Call[]; backMs: number }> {
  await waitUntil(() => load.sent.length > 100, server.process);
  const fullMs = performance.now();
  const free = fill(dir);
  if (dir === walDir) await fillWal();
  const refused = () =>
    load.calls.filter((call) => call.startedMs > fullMs && call.status === 503).length;
  await waitUntil(() => refused() > FULL_FOR_CALLS, server.process);
  const freedMs = performance.now();
  free();
  let first: Call | undefined;
  await waitUntil(() => {
    first = load.calls.find(
      (call) => call.startedMs > freedMs && call.status === 200 && call.path.endsWith('/send'),
    );
    return first !== undefined;
  }, server.process);
  await load.stop();
  const calls = load.calls.filter((call) => call.startedMs + call.ms > fullMs);
  return { calls, backMs: Math.round((first as Call).startedMs - freedMs) };
}

for (const [what, dir] of [
  ['data', home.dataDir],
  ['WAL', walDir],
] as const) {
  test(`a full ${what} disk causes 503 until there is space, and nothing is lost`, async (t) => {
    if (skipReason !== undefined) return t.skip(skipReason);
    const load = startLoad(server.live, PEOPLE);
    t.after(() => load.stop());
    const { calls, backMs } = await fillOnce(load, dir);
    assert.ok(isAlive(server.pid), 'the server process must survive');
    const slowestMs = assertAnsweredInTime(calls, ANSWER_LIMIT_MS);
    assert.ok(backMs <= BACK_LIMIT_MS, `${backMs} ms`);
    const unsettled = await server.settleAll();
    await assertNothingLost(server, load);
    await server.audit();
    console.log(
      `${what} disk full: ${JSON.stringify(countOutcomes(calls))}, slowest ${slowestMs} ms; back ` +
        `${backMs} ms after space was freed; ${load.sent.length} sends and ` +
        `${load.verified.length} verifications acknowledged, 0 lost; ${unsettled} left to the watch`,
    );
  });
}
