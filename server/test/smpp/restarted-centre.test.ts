/**
 * A thousand SMS through a centre that nobody here wrote, which restarts and then counts its ids from
 * the beginning, while receipts of the messages before are still to come. Each test is named
 * "peer: case: what happened".
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type FaultService,
  openServices,
  type Row,
  type Sent,
  waitFor,
} from '../faults/fault-service.ts';
import { freePort } from '../free-port.ts';
import { addToSummary } from '../test-summary.ts';
import {
  type ForeignCentre,
  type ForeignPdu,
  type ForeignSession,
  startForeignCentre,
} from './foreign-centre.ts';

const SMS = 1_000;
/** The centre restarts after so many messages that it took. */
const RESTARTS_AFTER = [180, 390, 610, 820];
const AT_ONCE = 20;
/** While the circuit is open, every send is refused at once but for one probe a second. */
const AFTER_REFUSAL_MS = 1_000;
/** In turn: most receipts come before the next message with the id, some long after it. */
const RECEIPT_AFTER_MS = [5, 20, 60, 300, 1_500];
const PRICE = 8;

type Taken = { id: string; phone: string; isDelivered: boolean };

let service: FaultService;
let centre: ForeignCentre;
const taken: Taken[] = [];
const receipts: Promise<void>[] = [];
const closers: (() => unknown)[] = [];
const scope = { after: (close: () => unknown) => void closers.push(close) };
let nextId = 1;
let restarting: Promise<void> | undefined;

before(async () => {
  const port = await freePort();
  centre = await startForeignCentre(scope, { port, answer });
  [service] = await openServices([(all) => ({ ...all.smpp, SMPP_PORT: String(port) })] as const);
});
after(async () => {
  await service.close();
  for (const close of closers) await close();
});

/** Gives the next id, and restarts in the middle of the work. */
function answer(submit: ForeignPdu, session: ForeignSession): void {
  const message = {
    id: String(nextId++),
    phone: String(submit.destination_addr),
    isDelivered: taken.length % 9 !== 0,
  };
  taken.push(message);
  session.send(submit.response({ message_id: message.id }));
  receipts.push(reportSoon(message, RECEIPT_AFTER_MS[taken.length % RECEIPT_AFTER_MS.length] ?? 0));
  if (RESTARTS_AFTER.includes(taken.length)) restarting = restart();
}

async function restart(): Promise<void> {
  const { port } = centre;
  centre.close();
  await pause(100);
  nextId = 1;
  centre = await startForeignCentre(scope, { port, answer });
}

/** A centre keeps a receipt until somebody is bound who takes it. */
async function reportSoon({ id, phone, isDelivered }: Taken, delayMs: number): Promise<void> {
  await pause(delayMs);
  const state = isDelivered ? 'DELIVRD' : 'UNDELIV';
  for (;;) {
    const delivering = centre.deliver({
      source_addr: phone,
      destination_addr: 'Zhiber',
      esm_class: 4,
      short_message: `id:${id} sub:001 dlvrd:001 submit date:2611190900 done date:2611190901 stat:${state} err:000 text:`,
    });
    // A connection that ends takes the answer with it.
    const status = await Promise.race([delivering.catch(() => undefined), pause(1_000)]);
    if (status === 0) return;
    await pause(50);
  }
}

const waitForLink = () =>
  waitFor(
    () => centre.bound.length,
    (count) => count > 0,
  );

/** Sends until the centre has taken a thousand. */
async function sendAll(): Promise<Sent[]> {
  const answers: Sent[] = [];
  const work = async () => {
    while (taken.length < SMS) {
      await waitForLink();
      const sent = await service.send('sms');
      answers.push(sent);
      if (sent.status === 502) await pause(AFTER_REFUSAL_MS);
      await restarting;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

test('node-smpp: a thousand SMS, most with an id that was given several times: each is settled right', async () => {
  const answers = await sendAll();
  await Promise.all(receipts);
  const byPhone = new Map(taken.map((message) => [message.phone, message]));
  const planned = (row: Row) => byPhone.get(row.recipient);
  // The id of a message whose response was lost with the connection is never known.
  const isSettled = (row: Row) =>
    row.state === 'sent'
      ? row.receipt === (planned(row)?.isDelivered ? 'delivered' : 'failed')
      : row.state !== 'sending';
  const rows = await waitFor(
    () => service.rows(),
    (found) => found.every(isSettled),
    (found) => JSON.stringify(found.filter((row) => !isSettled(row)).slice(0, 5)),
  );
  assert.equal(rows.length, answers.length);
  const statusOf = new Map(answers.map(({ id, status }) => [id, status]));
  for (const row of rows) {
    const details = JSON.stringify({ row, planned: planned(row) });
    const status = statusOf.get(row.id);
    assert.equal(row.charged, status === 200 ? PRICE : 0, details);
    assert.equal(row.hold, 0, details);
    if (status === 200) assert.ok(planned(row) !== undefined, details);
    if (status === 502) assert.equal(planned(row), undefined, details);
  }
  const ids = new Set(taken.map(({ id }) => id));
  const count = (status: number) => answers.filter((one) => one.status === status).length;
  addToSummary(
    `SMPP: ${rows.length} SMS by npm smpp, ${RESTARTS_AFTER.length} restarts: ${ids.size} ids for ${taken.length} messages; ` +
      `${count(200)} sent and charged, ${count(504)} unknown and free, ${count(502)} not taken; the receipt of each sent one at its message`,
  );
  assert.ok(ids.size < taken.length / 3, `${ids.size} of ${taken.length}`);
  assert.ok(count(200) > SMS * 0.9, `${count(200)} were sent`);
});

test('node-smpp: after the thousand SMS: the ledger invariants hold, and no secret was logged', async () => {
  await service.assertInvariants();
});
