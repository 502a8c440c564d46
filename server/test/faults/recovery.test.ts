/** A server that is killed while providers have its messages, and the one that takes over. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
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
  /** With which its caller may come back for an answer. */
  idempotencyKey?: string;
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

/**
 * Asks for a code by each provider, with and without an Idempotency-Key: one that it takes, and one
 * that it loses. It answers neither.
 */
function sendToAll(): Case[] {
  const cases = [http, smsc, green, behindSmsc].flatMap((line) =>
    [true, false].flatMap((isTaken): Case[] => [
      { line, phone: newPhone(), isTaken },
      { line, phone: newPhone(), isTaken, idempotencyKey: randomUUID() },
    ]),
  );
  for (const one of cases) {
    const { line, phone, isTaken } = one;
    const to = (other: Line) => other.spell(phone.slice(1));
    line.provider.plans.add({ ...SILENT, isTaken, to: to(line) });
    // It gets to the one behind because the first has no money just then.
    if (line === behindSmsc) {
      smsc.provider.plans.add({ does: 'refuse', code: 3, times: 1, to: to(smsc) });
    }
    // The call dies with the server.
    send(one).catch(() => undefined);
  }
  return cases;
}

function send({ line, phone, idempotencyKey }: Case) {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return service.send(line.channel, phone, { headers });
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

test('killed while providers had messages: none is sent again, and only a repeat can be charged', async () => {
  const cases = sendToAll();
  for (const { name } of [http, smsc, green, behindSmsc]) {
    const inFlight = `zhiber_provider_in_flight{provider="${name}"} 4`;
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
    const { line, isTaken, idempotencyKey } = one;
    const row = await until(
      () => findRow(one.phone),
      (found) => found?.state !== 'sending',
    );
    const withKey = idempotencyKey === undefined ? 'no' : 'an';
    const what = `${line.name}, ${isTaken ? 'taken' : 'lost'}, ${withKey} Idempotency-Key`;
    const taken = takenOf(one);
    assert.equal(taken.length, isTaken ? 1 : 0, `${what}: sent again`);
    const facts = { state: row?.state, charged: row?.charged, by: row?.provider_id };
    // SMSC alone can be asked for a message by our reference.
    if (line === smsc && isTaken && idempotencyKey !== undefined) {
      assert.deepEqual(facts, { state: 'sent', charged: line.price, by: taken[0] }, what);
    } else {
      assert.deepEqual(facts, { state: 'unknown', charged: 0, by: null }, what);
    }
  }
});

test('a repeat with the same Idempotency-Key hears what became of it, and sends nothing', async () => {
  const cases = [true, false].map(
    (isTaken): Case => ({ line: smsc, phone: newPhone(), isTaken, idempotencyKey: randomUUID() }),
  );
  for (const one of cases) {
    smsc.provider.plans.add({
      ...SILENT,
      isTaken: one.isTaken,
      to: smsc.spell(one.phone.slice(1)),
    });
    send(one).catch(() => undefined);
  }
  const inFlight = 'zhiber_provider_in_flight{provider="smsc"} 2';
  await until(service.metrics, (text) => text.includes(inFlight));
  await service.kill();
  await service.start();
  await service.passTime(LEASE_OVER_SECONDS);
  const [found, lost] = cases as [Case, Case];
  const answered = (one: Case) =>
    until(
      () => send(one),
      ({ status }) => status !== 409,
    );
  const success = await answered(found);
  assert.equal(success.status, 200);
  assert.equal(success.body.cost, smsc.price);
  const failure = await answered(lost);
  assert.equal(failure.body.error_code, 'delivery_unconfirmed');
  assert.deepEqual([takenOf(found).length, takenOf(lost).length], [1, 0]);
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
    [true, false].map((isTaken): Case => ({ line, phone: newPhone(), isTaken })),
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
