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
import { createHome, isAlive, until } from '../start/serve-harness.ts';
import { type Call, type Load, startLoad, tally } from './load.ts';
import {
  assertKept,
  assertToldToComeBack,
  IS_FULL,
  type OutageServer,
  openServer,
  promised,
} from './outage-server.ts';
import { signalAll } from './postgres-processes.ts';

const DATA_MB = 160;
const LOG_MB = 96;
const PEOPLE = 32;
const ANSWER_LIMIT_MS = promised(2_000);
/** Growing pauses between tries to start a PostgreSQL that cannot live, and its recovery. */
const BACK_LIMIT_MS = promised(30_000);
const FULL_FOR_CALLS = IS_FULL ? 2_000 : 200;

const reason = mountReason();
const home = createHome();
const logDir = path.join(home.dataDir, 'postgres/pg_wal');
const mounts: string[] = [];
let server: OutageServer;

/** Why it cannot be tried here; undefined when it can. */
function mountReason(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'a small disk can only be mounted by root on Linux';
  }
  const dir = mkdtempSync(path.join(tmpdir(), 'zhiber-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', dir], { stdio: 'ignore' });
    execFileSync('umount', [dir]);
    return undefined;
  } catch {
    return 'this system does not let even root mount anything';
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function mountSmall(dir: string, megabytes: number): void {
  mkdirSync(dir, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', dir]);
  mounts.push(dir);
}

/** The log of PostgreSQL gets a disk of its own, so that the two can fill up separately. */
function moveLog(): void {
  const { uid, gid } = statSync(logDir);
  const kept = `${logDir}-kept`;
  renameSync(logDir, kept);
  mountSmall(logDir, LOG_MB);
  cpSync(kept, logDir, { recursive: true, preserveTimestamps: true });
  execFileSync('chown', ['-R', `${uid}:${gid}`, logDir]);
  chownSync(logDir, uid, gid);
  chmodSync(logDir, 0o700);
  rmSync(kept, { recursive: true });
}

before(async () => {
  if (reason !== undefined) return;
  mountSmall(home.dataDir, DATA_MB);
  server = await openServer({}, home);
  const { keys } = server.process.facts;
  await server.process.stop('SIGTERM');
  moveLog();
  const again = await home.serve();
  server = {
    ...server,
    process: again,
    pid: again.child.pid as number,
    live: { port: again.facts.port, key: (keys as { live: string }).live },
  };
});
after(async () => {
  await home.endAll();
  if (reason === undefined) signalAll(home.dataDir, 'SIGKILL');
  for (const dir of mounts.toReversed()) execFileSync('umount', ['-l', dir]);
  await home.remove();
});

/** Takes all the space there is. Returns what gives it back. */
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

/** Writes to the log until it has used up what it had set aside, and PostgreSQL gives up. */
async function useUpLog(): Promise<void> {
  const message = "select pg_logical_emit_message(true, 'ballast', repeat('x', 4000000))";
  for (let written = 0; written < 2 * LOG_MB; written += 4) {
    const isGone = await server.sql(message).then(
      () => false,
      () => true,
    );
    if (isGone) return;
  }
  assert.fail('the log should be full');
}

/** Fills a disk under load until sends are refused, frees it, and waits until they are not. */
async function fillOnce(load: Load, dir: string): Promise<{ calls: Call[]; backMs: number }> {
  await until(() => load.sent.length > 100, server.process);
  const fullMs = performance.now();
  const free = fill(dir);
  if (dir === logDir) await useUpLog();
  const refused = () =>
    load.calls.filter((call) => call.startedMs > fullMs && call.status === 503).length;
  await until(() => refused() > FULL_FOR_CALLS, server.process);
  const freedMs = performance.now();
  free();
  let first: Call | undefined;
  await until(() => {
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
  ['log', logDir],
] as const) {
  test(`a full disk of the ${what}: 503 until there is room, and nothing is lost`, async (t) => {
    if (reason !== undefined) return t.skip(reason);
    const load = startLoad(server.live, PEOPLE);
    t.after(() => load.stop());
    const { calls, backMs } = await fillOnce(load, dir);
    assert.ok(isAlive(server.pid), 'the server was never restarted');
    const slowestMs = assertToldToComeBack(calls, ANSWER_LIMIT_MS);
    assert.ok(backMs <= BACK_LIMIT_MS, `${backMs} ms`);
    const left = await server.settleAll();
    await assertKept(server, load);
    await server.audit();
    console.log(
      `disk of the ${what} full: ${JSON.stringify(tally(calls))}, slowest ${slowestMs} ms; back ` +
        `${backMs} ms after there was room; ${load.sent.length} sends and ` +
        `${load.verified.length} verifications acknowledged, 0 lost; ${left} left to the watch`,
    );
  });
}
