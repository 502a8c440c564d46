import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createHome, until } from '../start/serve-harness.ts';
import { type Call, createCaller, newPhone } from './load.ts';
import { assertKept, IS_FULL, type OutageServer, openServer } from './outage-server.ts';

const ROUNDS = IS_FULL ? 10 : 3;
const CALLERS = 16;
/** What the contract leaves requests under way; the process has ended by then. */
const STOP_LIMIT_MS = 25_000;

const home = createHome();
let server: OutageServer;

before(async () => {
  server = await openServer({}, home);
});
after(async () => {
  await home.remove();
});

/** Callers that go on until nobody answers: half keep their connection, half make a new one each. */
function startCallers(target: { port: number; key: string }) {
  const calls: Call[] = [];
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  const callers = Array.from({ length: CALLERS }, async (_, i) => {
    const call = createCaller(target, agents[i % 2] as Agent);
    for (;;) {
      const made = await call('/api/otp/send', { phone: newPhone() });
      calls.push(made);
      if (made.failure?.includes('ECONNREFUSED')) return;
      // Kept connections are idle for a moment, as those of real callers are.
      await pause(i % 3);
    }
  });
  return {
    calls,
    async ended() {
      await Promise.all(callers);
      for (const agent of agents) agent.destroy();
    },
  };
}

/** The last moment at which somebody could still connect. */
async function watchListener(port: number): Promise<number> {
  for (let openMs = performance.now(); ; await pause(1)) {
    const startedMs = performance.now();
    const socket = connect(port, 'localhost');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!isOpen) return openMs;
    openMs = startedMs;
  }
}

test('a stop under load answers every request that has left its caller', async () => {
  const all: Call[] = [];
  const cutOff: Call[] = [];
  const stops: number[] = [];
  let { live } = server;
  let running: {
    child: { kill(signal: NodeJS.Signals): void };
    ended: Promise<{ code: number | null; err: string }>;
  } & Parameters<typeof until>[1] = server.process;
  for (let round = 0; round < ROUNDS; round++) {
    const callers = startCallers(live);
    await until(() => callers.calls.length > 300, running);
    const listener = watchListener(live.port);
    const toldMs = performance.now();
    running?.child.kill('SIGTERM');
    const closedMs = await listener;
    const { code, err } = await running.ended;
    stops.push(Math.round(performance.now() - toldMs));
    await callers.ended();

    const reached = callers.calls.filter((call) => (call.sentMs ?? Infinity) < closedMs);
    cutOff.push(...reached.filter((call) => call.status !== 200));
    assert.equal(code, 0, err);
    assert.ok((stops.at(-1) ?? 0) < STOP_LIMIT_MS);
    all.push(...callers.calls);
    const next = await home.serve();
    running = next;
    live = { ...live, port: next.facts.port };
  }
  assert.deepEqual(cutOff, [], 'requests that had left before the listener was closed');
  const answered = all.filter((call) => call.status === 200);
  await assertKept(server, {
    calls: all,
    sent: answered.map((call) => ({ phone: '', messageId: String(call.body.message_id) })),
    verified: [],
  });
  await server.settleAll();
  await server.audit();
  const kept = answered.filter((call) => call.isKept).length;
  console.log(
    `SIGTERM under ${CALLERS} callers, ${ROUNDS} rounds: ${answered.length} sends answered, ` +
      `${kept} of them on kept connections; 0 cut off; ended with code 0 after ` +
      `${stops.join(', ')} ms`,
  );
});
