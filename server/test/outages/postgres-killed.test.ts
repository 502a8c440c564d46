import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { IS_FULL } from '../is-full.ts';
import { isAlive, waitUntil } from '../start/serve-harness.ts';
import { type Call, countOutcomes, type Load, startLoad } from './load-client.ts';
import {
  assertAnsweredInTime,
  assertNothingLost,
  type OutageServer,
  openServer,
  promisedLimit,
} from './outage-server.ts';
import { findProcesses, signalAll, signalOne } from './postgres-processes.ts';

const ROUNDS = IS_FULL ? 10 : 2;
const PEOPLE = 32;
/** The limits of one call without a database, and of the whole recovery. */
const ANSWER_LIMIT_MS = promisedLimit(2_000);
const BACK_LIMIT_MS = promisedLimit(15_000);

let server: OutageServer;

before(async () => {
  server = await openServer();
});
after(async () => {
  await server?.close();
});

/**
 * Waits for some successes, kills, and waits for the next success of the restarted server: on a busy
 * machine the old one may answer for a moment after the kill.
 */
async function killOnce(load: Load, kill: () => unknown): Promise<{ gapMs: number }> {
  const servedBefore = load.sent.length;
  await waitUntil(() => load.sent.length > servedBefore + 50, server.process);
  const killed = findProcesses(server.dataDir).postmaster;
  const killedMs = performance.now();
  kill();
  await waitUntil(
    () => ![0, killed].includes(findProcesses(server.dataDir).postmaster),
    server.process,
  );
  const restartedMs = performance.now();
  const isServed = (call: Call) => call.path.endsWith('/send') && call.status === 200;
  let first: Call | undefined;
  await waitUntil(() => {
    first = load.calls.find((call) => call.startedMs > restartedMs && isServed(call));
    return first !== undefined;
  }, server.process);
  const gapMs = Math.round((first as Call).startedMs + (first as Call).ms - killedMs);
  return { gapMs };
}

const describeOutcomes = (calls: readonly Call[]) => JSON.stringify(countOutcomes(calls));

for (const [what, kill] of [
  ['PostgreSQL and all its processes', () => signalAll(server.dataDir, 'SIGKILL')],
  [
    'the postmaster alone, whose children survive for a moment',
    () => signalOne(findProcesses(server.dataDir).postmaster, 'SIGKILL'),
  ],
  [
    'one backend, after which PostgreSQL ends itself',
    () => signalOne(findProcesses(server.dataDir).children.at(-1) as number, 'SIGKILL'),
  ],
] as const) {
  test(`kill -9 of ${what} under load causes 503 until recovery, and nothing is lost`, async (t) => {
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
    assert.ok(isAlive(server.pid), 'the server process must survive');
    const slowestMs = assertAnsweredInTime(load.calls, ANSWER_LIMIT_MS);
    const unsettled = await server.settleAll();
    await assertNothingLost(server, load);
    await server.audit();
    console.log(
      `kill -9 of ${what}: ${ROUNDS} rounds, back after ${gaps.join(', ')} ms; ${describeOutcomes(load.calls)}; ` +
        `slowest answer ${slowestMs} ms; ${load.sent.length} sends and ${load.verified.length} ` +
        `verifications acknowledged, 0 lost; ${unsettled} left to the watch`,
    );
  });
}
