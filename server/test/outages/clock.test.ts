import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { passTime } from '../harness.ts';
import { createHome } from '../start/serve-harness.ts';
import { type Call, createCaller, newPhone } from './load.ts';
import { IS_FULL, type OutageServer, openServer } from './outage-server.ts';

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'shift-clock.ts')).href;
const HOUR_MS = 3_600_000;
const WAIT_LIMIT_MS = 90_000;
/** WhatsApp takes it and never confirms. */
const SILENT_NUMBER = '+77000000002';

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

/** Everything that depends on time, told as one answer each. */
async function behave(port: number): Promise<Behaviour> {
  const agent = new Agent({ keepAlive: true });
  const call = createCaller({ port, key: server.live.key }, agent);
  const callTest = createCaller({ port, key: testKey }, agent);
  const told: Behaviour = {};
  const later = (seconds: number) => passTime(server.sql as never, seconds);
  const note = (what: string, { status, body }: Call) => {
    told[what] = `${status} ${body.error_code ?? ''}`.trim();
  };

  const phone = newPhone();
  const send = () => call('/api/otp/send', { phone });
  const verify = async () => call('/api/otp/verify', { phone, code: await codeOn(call, phone) });
  note('a send', await send());
  const second = await send();
  note('a second one within the minute', second);
  assert.ok(Number(second.retryAfter) > 50 && Number(second.retryAfter) <= 60, second.retryAfter);
  await later(61);
  note('one after the minute', await send());
  note('its code', await verify());
  note('its code again', await verify());
  await later(61);
  note('a third send', await send());
  await later(301);
  note('its code when it has expired', await verify());

  const twice = { phone: newPhone() };
  const headers = { 'idempotency-key': `once-${port}` };
  note('a send with a key', await call('/api/otp/send', twice, { headers }));
  note('the same again', await call('/api/otp/send', twice, { headers }));
  await later(25 * 3_600);
  note('the same a day later', await call('/api/otp/send', { phone: newPhone() }, { headers }));

  const made = await call('/api/links/shorten', { url: 'https://shop.kz', expires_in: 600 });
  const open = () =>
    call(`/s/${String(made.body.short_url).split('/').at(-1)}`, {}, { method: 'GET' });
  note('a link', await open());
  await later(601);
  note('the link when it has expired', await untilStatus(open, 410));

  const before = (await inbox(callTest, SILENT_NUMBER)).length;
  note('a send that nobody confirms', await callTest('/api/otp/send', { phone: SILENT_NUMBER }));
  await later(40);
  const deadline = performance.now() + WAIT_LIMIT_MS;
  let got: Received[] = [];
  while (got.length < 2) {
    assert.ok(performance.now() < deadline, 'there was no fallback');
    got = (await inbox(callTest, SILENT_NUMBER)).slice(before);
    await pause(50);
  }
  told['its fallback'] = got.map((message) => message.channel).join(' then ');
  assert.equal(got[0]?.code, got[1]?.code, 'the same code');
  agent.destroy();
  return told;
}

type Received = { code: string; channel: string };
type Caller = ReturnType<typeof createCaller>;

async function inbox(call: Caller, phone: string): Promise<Received[]> {
  const url = `/sandbox/messages?phone=${encodeURIComponent(phone)}`;
  return (await call(url, {}, { method: 'GET' })).body.messages as Received[];
}

async function codeOn(call: Caller, phone: string): Promise<string> {
  return (await inbox(call, phone)).at(-1)?.code ?? '';
}

async function untilStatus(ask: () => Promise<Call>, status: number): Promise<Call> {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  for (;;) {
    const call = await ask();
    if (call.status === status || performance.now() > deadline) return call;
    await pause(50);
  }
}

async function behaveUnder(shiftMs: number): Promise<Behaviour & { month: string }> {
  const running = await home.serve({
    NODE_OPTIONS: `--import=${PRELOAD}`,
    CLOCK_SHIFT_MS: String(shiftMs),
  });
  const { port } = running.facts;
  const told = await behave(port);
  await untilWiped();
  const month = await newestMonth();
  const { code, err } = await running.stop('SIGTERM');
  assert.equal(code, 0, err);
  assert.doesNotMatch(err, /"level":[56]0/, 'nothing is logged as an error');
  return { ...told, month };
}

/** Time has passed in jumps; the watch wipes the copies of expired codes when it comes by. */
async function untilWiped(): Promise<void> {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  do {
    assert.ok(performance.now() < deadline, 'a copy of an expired code is left');
    // Again and again: what the watch was just at has a new time to be looked at.
    await passTime(server.sql as never, 600);
    await pause(1_000);
  } while ((await server.sql('select from code where sealed is not null')).length > 0);
}

/** In which month's table the newest message lies: its id was made by the server's clock. */
async function newestMonth(): Promise<string> {
  const rows = await server.sql<{ name: string }>(
    'select tableoid::regclass::text as name from message order by created_at desc limit 1',
  );
  return String(rows[0]?.name).replace('message_', '').replace('_', '-');
}

/** So far off that the server thinks it is in the middle of the month before, or after. */
function toMonth(offset: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 15) - now.getTime();
}

/** Off by an hour matters most where it leads into another month: the id of a message names its own. */
const SHIFTS: Record<string, number> = {
  'in the next month': toMonth(1),
  'in the last month': toMonth(-1),
  ...(IS_FULL && { right: 0, 'an hour ahead': HOUR_MS, 'an hour behind': -HOUR_MS }),
};

const EXPECTED: Behaviour = {
  'a send': '200',
  'a second one within the minute': '429 send_rate_limited',
  'one after the minute': '200',
  'its code': '200',
  'its code again': '422 code_already_used',
  'a third send': '200',
  'its code when it has expired': '422 code_expired',
  'a send with a key': '200',
  'the same again': '200',
  'the same a day later': '200',
  'a link': '302',
  'the link when it has expired': '410',
  'a send that nobody confirms': '200',
  'its fallback': 'whatsapp then telegram',
};

test('a server whose clock is off behaves as one whose clock is right', async () => {
  const months: string[] = [];
  for (const [name, shiftMs] of Object.entries(SHIFTS)) {
    const { month, ...told } = await behaveUnder(shiftMs);
    assert.deepEqual(told, EXPECTED, `clock ${name}`);
    months.push(`${name} (messages of ${month})`);
  }
  await server.audit();
  console.log(
    `${Object.keys(EXPECTED).length} answers that depend on time, as they should be with the ` +
      `server's clock ${months.join(', ')}`,
  );
});
