import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, until } from '../start/serve-harness.ts';
import { type Call, type Load, startLoad, tally } from './load.ts';
import {
  assertKept,
  assertToldToComeBack,
  IS_FULL,
  type OutageServer,
  openServer,
  promised,
} from './outage-server.ts';
import { findProcesses, signalAll, signalOne } from './postgres-processes.ts';

const ROUNDS = IS_FULL ? 10 : 3;
const PEOPLE = 32;
/** What a call without a database may take, and the whole way back to service. */
const ANSWER_LIMIT_MS = promised(2_000);
const BACK_LIMIT_MS = promised(15_000);

let server: OutageServer;

before(async () => {
  server = await openServer();
});
after(async () => {
  await server?.close();
});

/** Lets the load run, kills, and waits until somebody is served again. */
async function killOnce(load: Load, kill: () => unknown): Promise<{ gapMs: number }> {
  const servedBefore = load.sent.length;
  await until(() => load.sent.length > servedBefore + 50, server.process);
  const killedMs = performance.now();
  kill();
  const isServed = (call: Call) => call.path.endsWith('/send') && call.status === 200;
  let first: Call | undefined;
  await until(() => {
    first = load.calls.find((call) => call.startedMs > killedMs && isServed(call));
    return first !== undefined;
  }, server.process);
  const gapMs = Math.round((first as Call).startedMs + (first as Call).ms - killedMs);
  return { gapMs };
}

const line = (calls: readonly Call[]) => JSON.stringify(tally(calls));

for (const [what, kill] of [
  ['PostgreSQL and all its processes', () => signalAll(server.dataDir, 'SIGKILL')],
  [
    'the postmaster alone, whose children live on for a moment',
    () => signalOne(findProcesses(server.dataDir).postmaster, 'SIGKILL'),
  ],
  [
    'one backend, for which PostgreSQL restarts itself',
    () => signalOne(findProcesses(server.dataDir).children.at(-1) as number, 'SIGKILL'),
  ],
] as const) {
  test(`kill -9 of ${what} under load: 503 until it is back, and nothing is lost`, async (t) => {
    const load = startLoad(server.live, PEOPLE);
    t.after(() => load.stop());
    const gaps: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { gapMs } = await killOnce(load, kill);
      assert.ok(gapMs <= BACK_LIMIT_MS, `back after ${gapMs} ms`);
      gaps.push(gapMs);
    }
    await pause(200);
    await load.stop();
    assert.ok(isAlive(server.pid), 'the server itself was never restarted');
    const slowestMs = assertToldToComeBack(load.calls, ANSWER_LIMIT_MS);
    const left = await server.settleAll();
    await assertKept(server, load);
    await server.audit();
    console.log(
      `kill -9 of ${what}: ${ROUNDS} rounds, back after ${gaps.join(', ')} ms; ${line(load.calls)}; ` +
        `slowest answer ${slowestMs} ms; ${load.sent.length} sends and ${load.verified.length} ` +
        `verifications acknowledged, 0 lost; ${left} left to the watch`,
    );
  });
}
