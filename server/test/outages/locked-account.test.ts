import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connectTo, until } from '../start/serve-harness.ts';
import { type Call, createCaller, newPhone, tally } from './load.ts';
import { assertToldToComeBack, type OutageServer, openServer, promised } from './outage-server.ts';

const LOCKED_MS = 5_000;
const ANSWER_LIMIT_MS = promised(2_000);
const SENDERS = 16;

let server: OutageServer;
let other: { companyId: number; key: string };
const agent = new Agent({ keepAlive: true });

before(async () => {
  server = await openServer();
  other = await server.company();
});
after(async () => {
  agent.destroy();
  await server?.close();
});

function startSenders(key: string) {
  const call = createCaller({ port: server.live.port, key }, agent);
  const calls: Call[] = [];
  let isOver = false;
  const senders = Array.from({ length: SENDERS }, async () => {
    while (!isOver) {
      calls.push(await call('/api/otp/send', { phone: newPhone() }));
      await pause(20);
    }
  });
  return {
    calls,
    async stop() {
      isOver = true;
      await Promise.all(senders);
    },
  };
}

test('an account that somebody holds fails the sends of its own company alone', async () => {
  const locked = startSenders(server.live.key);
  const free = startSenders(other.key);
  await until(() => locked.calls.length > 100 && free.calls.length > 100, server.process);
  const session = await connectTo(server.dataDir);
  await session.query('begin');
  await session.query('select from account where company_id = $1 for update', [server.companyId]);
  const lockedMs = performance.now();
  await pause(LOCKED_MS);
  const releasedMs = performance.now();
  await session.query('rollback');
  await session.end();
  const isServed = (call: Call) => call.startedMs > releasedMs && call.status === 200;
  await until(() => locked.calls.some(isServed), server.process);
  const back = locked.calls.find(isServed) as Call;
  await Promise.all([locked.stop(), free.stop()]);

  const during = (calls: Call[]) =>
    calls.filter((call) => call.startedMs + call.ms > lockedMs && call.startedMs < releasedMs);
  const slowestMs = assertToldToComeBack(during(locked.calls), ANSWER_LIMIT_MS);
  const slowestFreeMs = assertToldToComeBack(during(free.calls), ANSWER_LIMIT_MS);
  assert.deepEqual(Object.keys(tally(during(free.calls))), ['200'], 'the others are served');
  const left = await server.settleAll();
  await server.audit();
  console.log(
    `the account of one company held for ${LOCKED_MS / 1_000} s: its sends ` +
      `${JSON.stringify(tally(during(locked.calls)))}, slowest ${slowestMs} ms, back after ` +
      `${Math.round(back.startedMs + back.ms - releasedMs)} ms; another company in the same ` +
      `batches ${JSON.stringify(tally(during(free.calls)))}, slowest ${slowestFreeMs} ms; ` +
      `${left} left to the watch`,
  );
});
