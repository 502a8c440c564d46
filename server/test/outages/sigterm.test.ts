import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { IS_FULL } from '../is-full.ts';
import { createHome, waitUntil } from '../start/serve-harness.ts';
import { type Call, createCaller, newPhone } from './load-client.ts';
import { assertNothingLost, type OutageServer, openServer } from './outage-server.ts';

const ROUNDS = IS_FULL ? 10 : 2;
const CALLERS = 16;
/** The contract gives requests in flight this long; the process must have ended by then. */
const STOP_LIMIT_MS = 25_000;

const home = createHome();
let server: OutageServer;

before(async () => {
  server = await openServer({}, home);
});
after(async () => {
  await home.remove();
});

/** Callers that send until connections are refused; half of them reuse their connection. */
function startCallers(target: { port: number; key: string }) {
  const calls: Call[] = [];
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  const callers = Array.from({ length: CALLERS }, async (_, i) => {
    const call = createCaller(target, agents[i % 2] as Agent);
    for (;;) {
      const made = await call('/api/otp/send', { phone: newPhone() });
      calls.push(made);
      if (made.failure?.includes('ECONNREFUSED')) return;
      // Reused connections are idle for a moment, as those of real callers are.
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

/** Returns the last time at which a connection was still accepted. */
async function watchUntilClosed(port: number): Promise<number> {
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

test('a shutdown under load answers every request that was sent before the listener closed', async () => {
  const all: Call[] = [];
  const cutOff: Call[] = [];
  const stops: number[] = [];
  let { live } = server;
  let running: {
    child: { kill(signal: NodeJS.Signals): void };
    ended: Promise<{ code: number | null; err: string }>;
  } & Parameters<typeof waitUntil>[1] = server.process;
  for (let round = 0; round < ROUNDS; round++) {
    const callers = startCallers(live);
    await waitUntil(() => callers.calls.length > 300, running);
    const listener = watchUntilClosed(live.port);
    const signalledMs = performance.now();
    running?.child.kill('SIGTERM');
    const closedMs = await listener;
    const { code, err } = await running.ended;
    stops.push(Math.round(performance.now() - signalledMs));
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
  assert.deepEqual(cutOff, [], 'requests sent before the listener closed and not answered');
  const answered = all.filter((call) => call.status === 200);
  await assertNothingLost(server, {
    calls: all,
    sent: answered.map((call) => ({ phone: '', messageId: String(call.body.message_id) })),
    verified: [],
  });
  await server.settleAll();
  await server.audit();
  const reused = answered.filter((call) => call.isReused).length;
  console.log(
    `SIGTERM under ${CALLERS} callers, ${ROUNDS} rounds: ${answered.length} sends answered, ` +
      `${reused} of them on reused connections; 0 cut off; ended with code 0 after ` +
      `${stops.join(', ')} ms`,
  );
});
