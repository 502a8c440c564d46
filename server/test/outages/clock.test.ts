import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { passTime } from '../harness.ts';
import { IS_FULL } from '../is-full.ts';
import { createHome } from '../start/serve-harness.ts';
import {
  type Call,
  createCaller,
  newPhone,
  type Received,
  readCode,
  readInbox,
} from './load-client.ts';
import { type OutageServer, openServer } from './outage-server.ts';

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'shift-clock.ts')).href;
const HOUR_MS = 3_600_000;
const DEADLINE_MS = 90_000;
/** The sandbox accepts WhatsApp messages to this number and never sends a receipt. */
const UNCONFIRMED_NUMBER = '+77000000002';

const home = createHome();
let server: OutageServer;
let testKey = '';

before(async () => {
  server = await openServer({}, home);
  testKey = (server.process.facts.keys as { test: string }).test;
  await server.process.stop('SIGTERM');
});
after(async () => {
  await home.remove();
});

type Behaviour = Record<string, string>;

/** Calls everything that depends on time, and returns the outcome of each call by name. */
async function collectOutcomes(port: number): Promise<Behaviour> {
  const agent = new Agent({ keepAlive: true });
  const call = createCaller({ port, key: server.live.key }, agent);
  const callTest = createCaller({ port, key: testKey }, agent);
  const outcomes: Behaviour = {};
  const pass = (seconds: number) => passTime(server.sql as never, seconds);
  const record = (what: string, { status, body }: Call) => {
    outcomes[what] = `${status} ${body.error_code ?? ''}`.trim();
  };

  const phone = newPhone();
  const send = () => call('/api/otp/send', { phone });
  const verify = async () => call('/api/otp/verify', { phone, code: await readCode(call, phone) });
  record('a send', await send());
  const second = await send();
  record('a second send within a minute', second);
  assert.ok(Number(second.retryAfter) > 50 && Number(second.retryAfter) <= 60, second.retryAfter);
  await pass(61);
  record('a send after a minute', await send());
  record('verification', await verify());
  record('verification of a used code', await verify());
  await pass(61);
  record('a third send', await send());
  await pass(301);
  record('verification of an expired code', await verify());

  const twice = { phone: newPhone() };
  const headers = { 'idempotency-key': `once-${port}` };
  record('a send with an Idempotency-Key', await call('/api/otp/send', twice, { headers }));
  record('its repeat', await call('/api/otp/send', twice, { headers }));
  await pass(25 * 3_600);
  record(
    'a new send with the same key a day later',
    await call('/api/otp/send', { phone: newPhone() }, { headers }),
  );

  const made = await call('/api/links/shorten', { url: 'https://shop.kz', expires_in: 600 });
  const open = () =>
    call(`/s/${String(made.body.short_url).split('/').at(-1)}`, {}, { method: 'GET' });
  record('an open link', await open());
  await pass(601);
  record('an expired link', await waitForStatus(open, 410));

  const before = (await readInbox(callTest, UNCONFIRMED_NUMBER)).length;
  record(
    'a send without a receipt',
    await callTest('/api/otp/send', { phone: UNCONFIRMED_NUMBER }),
  );
  await pass(40);
  const deadline = performance.now() + DEADLINE_MS;
  let received: Received[] = [];
  while (received.length < 2) {
    assert.ok(performance.now() < deadline, 'timed out waiting for the fallback');
    received = (await readInbox(callTest, UNCONFIRMED_NUMBER)).slice(before);
    await pause(50);
  }
  outcomes['its fallback'] = received.map((message) => message.channel).join(' then ');
  assert.equal(received[0]?.code, received[1]?.code, 'both messages must contain the same code');
  agent.destroy();
  return outcomes;
}

async function waitForStatus(ask: () => Promise<Call>, status: number): Promise<Call> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const call = await ask();
    if (call.status === status || performance.now() > deadline) return call;
    await pause(50);
  }
}

async function runWithShift(shiftMs: number): Promise<Behaviour & { month: string }> {
  const running = await home.serve({
    NODE_OPTIONS: `--import=${PRELOAD}`,
    CLOCK_SHIFT_MS: String(shiftMs),
  });
  const { port } = running.facts;
  const outcomes = await collectOutcomes(port);
  await waitUntilWiped();
  const month = await readNewestMonth();
  const { code, err } = await running.stop('SIGTERM');
  assert.equal(code, 0, err);
  assert.doesNotMatch(err, /"level":[56]0/, 'the server logged an error');
  return { ...outcomes, month };
}

/** The watch wipes the sealed copies of expired codes some time after they expire. */
async function waitUntilWiped(): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  do {
    assert.ok(
      performance.now() < deadline,
      'timed out waiting for copies of expired codes to be wiped',
    );
    // In every round, because a check by the watch postpones the next check.
    await passTime(server.sql as never, 600);
    await pause(1_000);
  } while ((await server.sql('select from code where sealed is not null')).length > 0);
}

/** The monthly partition of the newest message; its id was made by the server's clock. */
async function readNewestMonth(): Promise<string> {
  const rows = await server.sql<{ name: string }>(
    'select tableoid::regclass::text as name from message order by created_at desc limit 1',
  );
  return String(rows[0]?.name).replace('message_', '').replace('_', '-');
}

/** A shift to the middle of another month. */
function toMonth(offset: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 15) - now.getTime();
}

/** A change of the month matters most, because the id of a message selects the partition. */
const SHIFTS: Record<string, number> = {
  'in the next month': toMonth(1),
  'in the previous month': toMonth(-1),
  ...(IS_FULL && { correct: 0, 'an hour ahead': HOUR_MS, 'an hour behind': -HOUR_MS }),
};

const EXPECTED: Behaviour = {
  'a send': '200',
  'a second send within a minute': '429 send_rate_limited',
  'a send after a minute': '200',
  verification: '200',
  'verification of a used code': '422 code_already_used',
  'a third send': '200',
  'verification of an expired code': '422 code_expired',
  'a send with an Idempotency-Key': '200',
  'its repeat': '200',
  'a new send with the same key a day later': '200',
  'an open link': '302',
  'an expired link': '410',
  'a send without a receipt': '200',
  'its fallback': 'whatsapp then telegram',
};

test('a server with a wrong clock behaves as one with a correct clock', async () => {
  const months: string[] = [];
  for (const [name, shiftMs] of Object.entries(SHIFTS)) {
    const { month, ...outcomes } = await runWithShift(shiftMs);
    assert.deepEqual(outcomes, EXPECTED, `clock ${name}`);
    months.push(`${name} (messages of ${month})`);
  }
  await server.audit();
  console.log(
    `${Object.keys(EXPECTED).length} time-dependent answers as expected with the server's clock ` +
      months.join(', '),
  );
});
