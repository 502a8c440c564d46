/** A server that is killed while providers have its messages, and the one that takes over. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { newPhone } from '../outages/load.ts';
import { type FaultService, openService, until } from './fault-service.ts';
import { type Line, lineOf } from './lines.ts';

/** Longer than the lease of a message, and than the time to the first look at it. */
const LEASE_OVER_SECONDS = 40;
const FALLBACK_OVER_SECONDS = 31;
const SILENT: Plan = { does: 'hang', times: 1 };

let service: FaultService;
/** Can be sent the same again, can be asked, can do neither; behind the last two is one of the first kind. */
let http: Line;
let smsc: Line;
let green: Line;
let behindSmsc: Line;
let behindGreen: Line;

type Case = {
  line: Line;
  phone: string;
  isTaken: boolean;
  /** What becomes of it; whatever that is, it is sent once at most, and by one provider. */
  ends: 'sent' | 'unknown';
};

before(async () => {
  service = await openService((all) => ({
    ...all.http('telegram'),
    ...all.smsc,
    ...all.http('sms'),
    ...all.green_api,
    ...all.http('whatsapp'),
  }));
  http = lineOf(service, 'http-telegram');
  smsc = lineOf(service, 'smsc');
  green = lineOf(service, 'green-api');
  behindSmsc = lineOf(service, 'http-sms');
  behindGreen = lineOf(service, 'http-whatsapp');
});
after(async () => {
  await service?.close();
});

/** Asks for a code by each provider: one that it takes, and one that it loses. It answers neither. */
function sendToAll(): Case[] {
  const cases = [http, smsc, green, behindSmsc].flatMap((line) =>
    [true, false].map((isTaken): Case => {
      return { line, phone: newPhone(), isTaken, ends: line === green ? 'unknown' : 'sent' };
    }),
  );
  for (const { line, phone, isTaken } of cases) {
    const to = (one: Line) => one.spell(phone.slice(1));
    line.provider.plans.add({ ...SILENT, isTaken, to: to(line) });
    // It gets to the one behind because the first has no money just then.
    if (line === behindSmsc) {
      smsc.provider.plans.add({ does: 'refuse', code: 3, times: 1, to: to(smsc) });
    }
    // The call dies with the server.
    service.send(line.channel, phone).catch(() => undefined);
  }
  return cases;
}

/** By all providers of the channel. */
function takenOf({ line: { channel }, phone }: Case) {
  const own = [http, smsc, green, behindSmsc, behindGreen].filter((one) => one.channel === channel);
  return own.flatMap((one) => one.taken(phone).map(({ id }) => `${one.name}:${id}`));
}

const findRow = async (phone: string) => {
  const rows = (await service.rows()).filter(({ recipient }) => `+${recipient}` === phone);
  assert.equal(rows.length, 1);
  return rows[0];
};

test('killed while providers had messages: each is sent once at most, and charged once', async () => {
  const cases = sendToAll();
  for (const { name } of [http, smsc, green, behindSmsc]) {
    const inFlight = `zhiber_provider_in_flight{provider="${name}"} 2`;
    await until(service.metrics, (text) => text.includes(inFlight));
  }
  const takenCount = () => cases.flatMap(takenOf).length;
  await until(takenCount, (count) => count === cases.filter(({ isTaken }) => isTaken).length);
  await service.kill();
  await service.start();
  const sending = (await service.rows()).filter(({ state }) => state === 'sending');
  assert.equal(sending.length, cases.length, 'none was settled before the end');
  await service.passTime(LEASE_OVER_SECONDS);

  for (const one of cases) {
    const row = await until(
      () => findRow(one.phone),
      (found) => found?.state !== 'sending',
    );
    const what = `${one.line.name}, ${one.isTaken ? 'taken' : 'lost'}`;
    const taken = takenOf(one);
    const facts = { state: row?.state, charged: row?.charged, by: row?.provider_id };
    if (one.ends === 'sent') {
      assert.equal(taken.length, 1, `${what}: ${taken}`);
      const { price } = one.line;
      assert.deepEqual(facts, { state: 'sent', charged: price, by: taken[0] }, what);
    } else {
      assert.equal(taken.length, one.isTaken ? 1 : 0, `${what}: sent again`);
      assert.deepEqual(facts, { state: 'unknown', charged: 0, by: null }, what);
    }
  }
});

test('a repeat is known by its reference, and a question precedes a second try', () => {
  const references = http.provider.journal.taken().map(({ ref }) => ref);
  assert.equal(new Set(references).size, references.length);
  const questions = smsc.provider.journal.lines.filter(
    (line) => line.event === 'call' && line.path === '/sys/status.php',
  );
  assert.equal(questions.length, 4);
});

test('receipts find the messages that another process has sent', async () => {
  const lines = new Map([http, smsc, behindSmsc].map((line) => [line.name as string, line]));
  for (const { id, state, provider_id } of await service.rows()) {
    if (state !== 'sent') continue;
    // The simulator may have given up on the service before it was there again.
    const [name = '', providerId = ''] = provider_id?.split(':') ?? [];
    await lines.get(name)?.provider.report(providerId, 'read');
    await service.untilRow(id, ({ receipt }) => receipt === 'read');
  }
});

test('killed in the middle of a fallback: where it was, it is taken up, and charged once', async () => {
  const cases = [http, smsc].flatMap((line) =>
    [true, false].map((isTaken): Case => ({ line, phone: newPhone(), isTaken, ends: 'sent' })),
  );
  const ids: string[] = [];
  for (const { line, phone, isTaken } of cases) {
    const plan = (one: Line, wanted: Plan) =>
      one.provider.plans.add({ ...wanted, times: 1, to: one.spell(phone.slice(1)) });
    plan(green, { does: 'accept', receipts: [] });
    if (line === smsc) plan(http, { does: 'refuse', code: 'not_now' });
    plan(line, { ...SILENT, isTaken, receipts: [] });
    ids.push((await service.send('auto', phone)).id);
  }
  await service.passTime(FALLBACK_OVER_SECONDS);
  for (const { name } of [http, smsc]) {
    const inFlight = `zhiber_provider_in_flight{provider="${name}"} 2`;
    await until(service.metrics, (text) => text.includes(inFlight));
  }
  await service.kill();
  await service.start();
  await service.passTime(LEASE_OVER_SECONDS);

  for (const [index, one] of cases.entries()) {
    const { line, phone, isTaken } = one;
    const what = `${line.name}, ${isTaken ? 'taken' : 'lost'}`;
    const row = await service.untilRow(ids[index] as string, (now) => now.channel === line.channel);
    const taken = takenOf(one);
    const facts = { charged: row.charged, hold: row.hold, by: [row.provider_id] };
    assert.deepEqual(facts, { charged: line.price, hold: 0, by: taken }, what);
    if (line === http) assert.equal(smsc.taken(phone).length, 0, `${what}: by SMS as well`);
  }
});

test('the books agree', async () => {
  await service.check();
});
