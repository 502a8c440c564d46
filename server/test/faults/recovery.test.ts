/** A server that is killed while providers have its messages, and the one that takes over. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { newPhone } from '../outages/load.ts';
import { type FaultService, openService, until } from './fault-service.ts';
import { type Line, lineOf } from './lines.ts';

/** Longer than the lease of a message, and than the time to the first look at it. */
const LEASE_OVER_SECONDS = 40;
const SILENT: Plan = { does: 'hang', times: 1 };

let service: FaultService;
/** Can be sent the same again, can be asked, can do neither. */
let http: Line;
let smsc: Line;
let green: Line;

type Case = { line: Line; phone: string; isTaken: boolean };

before(async () => {
  service = await openService((all) => ({
    ...all.http('telegram'),
    ...all.smsc,
    ...all.green_api,
  }));
  http = lineOf(service, 'http-telegram');
  smsc = lineOf(service, 'smsc');
  green = lineOf(service, 'green-api');
});
after(async () => {
  await service?.close();
});

/** Asks for a code by each provider: one that it takes, and one that it loses. It answers neither. */
function sendToAll(): Case[] {
  const cases = [http, smsc, green].flatMap((line) =>
    [true, false].map((isTaken) => ({ line, phone: newPhone(), isTaken })),
  );
  for (const { line, phone, isTaken } of cases) {
    line.provider.plans.add({ ...SILENT, isTaken, to: line.spell(phone.slice(1)) });
    // It dies with the server.
    service.send(line.channel, phone).catch(() => undefined);
  }
  return cases;
}

const findRow = async (phone: string) => {
  const rows = (await service.rows()).filter(({ recipient }) => `+${recipient}` === phone);
  assert.equal(rows.length, 1);
  return rows[0];
};

test('killed after the providers took messages: each is sent once at most, and charged once', async () => {
  const cases = sendToAll();
  for (const { name } of [http, smsc, green]) {
    const inFlight = `zhiber_provider_in_flight{provider="${name}"} 2`;
    await until(service.metrics, (text) => text.includes(inFlight));
  }
  await until(
    () => cases.filter(({ line, phone }) => line.taken(phone).length === 1).length,
    (count) => count === 3,
  );
  await service.kill();
  await service.start();
  const sending = (await service.rows()).filter(({ state }) => state === 'sending');
  assert.equal(sending.length, cases.length, 'none was settled before the end');
  await service.passTime(LEASE_OVER_SECONDS);

  for (const { line, phone, isTaken } of cases) {
    const row = await until(
      () => findRow(phone),
      (found) => found?.state !== 'sending',
    );
    const facts = { state: row?.state, charged: row?.charged, provider: row?.provider_id };
    const taken = line.taken(phone);
    if (line === green) {
      assert.deepEqual(facts, { state: 'unknown', charged: 0, provider: null });
      assert.equal(taken.length, isTaken ? 1 : 0, 'not sent again');
    } else {
      assert.equal(taken.length, 1, `${line.name}: once, and not more`);
      const provider = `${line.name}:${taken[0]?.id}`;
      assert.deepEqual(facts, { state: 'sent', charged: line.price, provider });
    }
  }
});

test('a repeat is known by its reference, and a question precedes a second try', () => {
  const references = http.provider.journal.taken().map(({ ref }) => ref);
  assert.equal(new Set(references).size, references.length);
  const questions = smsc.provider.journal.lines.filter(
    (line) => line.event === 'call' && line.path === '/sys/status.php',
  );
  assert.equal(questions.length, 2);
});

test('receipts find the messages that another process has sent', async () => {
  for (const row of await service.rows()) {
    if (row.state === 'sent') await service.untilRow(row.id, ({ receipt }) => receipt === 'read');
  }
});

test('the books agree', async () => {
  await service.check();
});
