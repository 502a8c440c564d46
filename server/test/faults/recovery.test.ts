/** A server is killed while sends are in flight at providers, and its successor settles them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { newPhone } from '../outages/load-client.ts';
import { type FaultService, openService, waitFor } from './fault-service.ts';
import { createTestedProvider, type TestedProvider } from './tested-provider.ts';

/** Longer than the lease of a message and the delay before its first check. */
const LEASE_OVER_SECONDS = 40;
const FALLBACK_OVER_SECONDS = 31;
const NO_ANSWER: Plan = { does: 'hang', times: 1 };

let service: FaultService;
/** Its sends are idempotent. */
let http: TestedProvider;
/** Can be queried by our reference. */
let smsc: TestedProvider;
/** Neither idempotent nor queryable. */
let green: TestedProvider;
/** Idempotent fallbacks of the two above. */
let behindSmsc: TestedProvider;
let behindGreen: TestedProvider;

type Case = {
  tested: TestedProvider;
  phone: string;
  isTaken: boolean;
  /** Lets the caller repeat the request to get an answer. */
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
  http = createTestedProvider(service, 'http-telegram');
  smsc = createTestedProvider(service, 'smsc');
  green = createTestedProvider(service, 'green-api');
  behindSmsc = createTestedProvider(service, 'http-sms');
  behindGreen = createTestedProvider(service, 'http-whatsapp');
});
after(async () => {
  await service?.close();
});

/**
 * Sends codes by each provider, with and without an Idempotency-Key. The provider takes one message
 * and loses the other, and answers neither.
 */
function sendToAll(): Case[] {
  const cases = [http, smsc, green, behindSmsc].flatMap((tested) =>
    [true, false].flatMap((isTaken): Case[] => [
      { tested, phone: newPhone(), isTaken },
      { tested, phone: newPhone(), isTaken, idempotencyKey: randomUUID() },
    ]),
  );
  for (const sendCase of cases) {
    const { tested, phone, isTaken } = sendCase;
    const to = (other: TestedProvider) => other.formatPhone(phone.slice(1));
    tested.provider.plans.add({ ...NO_ANSWER, isTaken, to: to(tested) });
    // SMSC refuses (no money), so the message goes to the second provider.
    if (tested === behindSmsc) {
      smsc.provider.plans.add({ does: 'refuse', code: 3, times: 1, to: to(smsc) });
    }
    // The call dies with the server.
    send(sendCase).catch(() => undefined);
  }
  return cases;
}

function send({ tested, phone, idempotencyKey }: Case) {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return service.send(tested.channel, phone, { headers });
}

/** The messages taken by all providers of the channel. */
function findTaken({ tested: { channel }, phone }: Case) {
  const sameChannel = [http, smsc, green, behindSmsc, behindGreen].filter(
    (tested) => tested.channel === channel,
  );
  return sameChannel.flatMap((tested) =>
    tested.taken(phone).map(({ id }) => `${tested.name}:${id}`),
  );
}

const findRow = async (phone: string) => {
  const rows = (await service.rows()).filter(({ recipient }) => `+${recipient}` === phone);
  assert.equal(rows.length, 1);
  return rows[0];
};

/** A call that is in flight may not have reached its provider yet. */
const waitUntilTaken = (cases: readonly Case[]) =>
  waitFor(
    () => cases.flatMap(findTaken).length,
    (count) => count === cases.filter(({ isTaken }) => isTaken).length,
  );

test('sends interrupted by a kill are never repeated, and charged only if confirmed and retryable', async () => {
  const cases = sendToAll();
  for (const { name } of [http, smsc, green, behindSmsc]) {
    const inFlight = `zhiber_provider_in_flight{provider="${name}"} 4`;
    await waitFor(service.metrics, (text) => text.includes(inFlight));
  }
  await waitUntilTaken(cases);
  await service.kill();
  await service.start();
  const sending = (await service.rows()).filter(({ state }) => state === 'sending');
  assert.equal(sending.length, cases.length, 'no message may be settled before the kill');
  await service.passTime(LEASE_OVER_SECONDS);

  for (const sendCase of cases) {
    const { tested, isTaken, idempotencyKey } = sendCase;
    const row = await waitFor(
      () => findRow(sendCase.phone),
      (found) => found?.state !== 'sending',
    );
    const withKey = idempotencyKey === undefined ? 'no' : 'an';
    const what = `${tested.name}, ${isTaken ? 'taken' : 'lost'}, ${withKey} Idempotency-Key`;
    const taken = findTaken(sendCase);
    assert.equal(taken.length, isTaken ? 1 : 0, `${what}: sent again`);
    const facts = { state: row?.state, charged: row?.charged, by: row?.provider_id };
    // Only SMSC can be queried by our reference.
    if (tested === smsc && isTaken && idempotencyKey !== undefined) {
      assert.deepEqual(facts, { state: 'sent', charged: tested.price, by: taken[0] }, what);
    } else {
      assert.deepEqual(facts, { state: 'unknown', charged: 0, by: null }, what);
    }
  }
});

test('a repeat with the same Idempotency-Key returns the outcome and sends nothing', async () => {
  const cases = [true, false].map(
    (isTaken): Case => ({ tested: smsc, phone: newPhone(), isTaken, idempotencyKey: randomUUID() }),
  );
  for (const sendCase of cases) {
    smsc.provider.plans.add({
      ...NO_ANSWER,
      isTaken: sendCase.isTaken,
      to: smsc.formatPhone(sendCase.phone.slice(1)),
    });
    send(sendCase).catch(() => undefined);
  }
  const [found, lost] = cases as [Case, Case];
  const inFlight = 'zhiber_provider_in_flight{provider="smsc"} 2';
  await waitFor(service.metrics, (text) => text.includes(inFlight));
  await waitUntilTaken(cases);
  await service.kill();
  await service.start();
  await service.passTime(LEASE_OVER_SECONDS);
  const answered = (sendCase: Case) =>
    waitFor(
      () => send(sendCase),
      ({ status }) => status !== 409,
    );
  const success = await answered(found);
  assert.equal(success.status, 200);
  assert.equal(success.body.cost, smsc.price);
  const failure = await answered(lost);
  assert.equal(failure.body.error_code, 'delivery_unconfirmed');
  assert.deepEqual([findTaken(found).length, findTaken(lost).length], [1, 0]);
});

test('receipts are recorded for messages that the killed process sent', async () => {
  const testedProviders = new Map(
    [http, smsc, behindSmsc].map((tested) => [tested.name as string, tested]),
  );
  for (const { id, state, provider_id } of await service.rows()) {
    if (state !== 'sent') continue;
    // The simulator may have stopped retrying before the service was back.
    const [name = '', providerId = ''] = provider_id?.split(':') ?? [];
    const tested = testedProviders.get(name);
    assert.ok(tested, `${id} was sent by ${name}`);
    await tested.provider.report(providerId, 'read');
    await service.waitForRow(id, ({ receipt }) => receipt === tested.highestReceipt);
  }
});

const isDelivered = ({ receipt }: { receipt: string | null }) =>
  receipt === 'delivered' || receipt === 'read';

test('a fallback interrupted by a kill resumes at the same provider and is charged once', async () => {
  const cases = [http, smsc].flatMap((tested) =>
    [true, false].map((isTaken): Case => ({ tested, phone: newPhone(), isTaken })),
  );
  const ids: string[] = [];
  for (const { tested, phone, isTaken } of cases) {
    const plan = (tested: TestedProvider, wanted: Plan) =>
      tested.provider.plans.add({ ...wanted, times: 1, to: tested.formatPhone(phone.slice(1)) });
    plan(green, { does: 'accept', receipts: [] });
    if (tested === smsc) plan(http, { does: 'refuse', code: 'not_now' });
    plan(tested, { ...NO_ANSWER, isTaken, receipts: [] });
    ids.push((await service.send('auto', phone)).id);
  }
  await service.passTime(FALLBACK_OVER_SECONDS);
  for (const { name } of [http, smsc]) {
    const inFlight = `zhiber_provider_in_flight{provider="${name}"} 2`;
    await waitFor(service.metrics, (text) => text.includes(inFlight));
  }
  await waitUntilTaken(cases);
  await service.kill();
  await service.start();
  await service.passTime(LEASE_OVER_SECONDS);

  for (const [index, sendCase] of cases.entries()) {
    const { tested, phone, isTaken } = sendCase;
    const what = `${tested.name}, ${isTaken ? 'taken' : 'lost'}`;
    const row = await service.waitForRow(
      ids[index] as string,
      (now) => now.channel === tested.channel,
    );
    const taken = findTaken(sendCase);
    assert.deepEqual([row.provider_id], taken, what);
    // A lost one was sent again, and reports by itself. The other waits for its receipt.
    if (isTaken) {
      const hold = tested.price - green.price;
      assert.deepEqual([row.charged, row.hold], [green.price, hold], what);
      await tested.provider.report(row.provider_id?.split(':')[1] ?? '', 'delivered');
    }
    const delivered = await service.waitForRow(row.id, isDelivered);
    assert.deepEqual([delivered.charged, delivered.hold], [tested.price, 0], what);
    if (tested === http) assert.equal(smsc.taken(phone).length, 0, `${what}: sent by SMS, too`);
  }
});

test('the ledger invariants hold, and no secret was logged', async () => {
  await service.assertInvariants();
});
