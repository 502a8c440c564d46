/**
 * Three processes of the service and one account of an operator: the binds are those of one of them,
 * whichever it is, and messages of all leave by them. The centre is made of npm `smpp`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitFor } from '../faults/fault-service.ts';
import { type ManyNodes, type Node, openNodes } from '../start/many-nodes.ts';
import { addToSummary } from '../test-summary.ts';
import { type ForeignCentre, type ForeignPdu, startForeignCentre } from './foreign-centre.ts';

const RATE = 5;
const RATED_SENDS = 7;

let all: ManyNodes;
let centre: ForeignCentre;
let key: string;
let isSilent = false;
let nextId = 1;
const taken: { phone: string; at: number; id: string }[] = [];
const closers: (() => unknown)[] = [];

before(async () => {
  centre = await startForeignCentre(
    { after: (close: () => unknown) => void closers.push(close) },
    { answer },
  );
  all = await openNodes(3, {
    SMPP_HOST: '127.0.0.1',
    SMPP_PORT: String(centre.port),
    SMPP_SYSTEM_ID: 'zhiber',
    SMPP_PASSWORD: 'k9-Wq2xZ',
    SMPP_SENDER: 'Zhiber',
    SMPP_RATE: String(RATE),
  });
  key = await all.createKey();
  await waitFor(
    () => centre.bound.length,
    (count) => count === 1,
  );
});
after(async () => {
  await all?.close();
  for (const close of closers) await close();
});

function answer(submit: ForeignPdu, session: { send(pdu: ForeignPdu): boolean }): void {
  const message = {
    phone: String(submit.destination_addr),
    at: performance.now(),
    id: `id${nextId++}`,
  };
  taken.push(message);
  if (!isSilent) session.send(submit.response({ message_id: message.id }));
}

const sendBy = (node: Node) => all.send(node, { key, channel: 'sms' });
const takenTo = (phone: string) => taken.filter((one) => phone.endsWith(one.phone.slice(-10)));

/** The process that holds the binds, and the others. */
async function findHolder(): Promise<{ holder: Node; others: Node[] }> {
  const [lease] = await all.sql<{ node: string }>('select node from provider_lease');
  assert.ok(lease !== undefined, 'nobody holds the binds');
  const isHolder = ({ child }: Node) => lease.node.split(' ').at(-2) === String(child.pid);
  const running = all.nodes.filter(
    ({ child }) => child.exitCode === null && child.signalCode === null,
  );
  const holder = running.find(isHolder);
  assert.ok(holder !== undefined, `the holder ${lease.node} does not run`);
  return { holder, others: running.filter((node) => node !== holder) };
}

test('one node binds, an SMS of each leaves by it, and the receipts find their messages', async () => {
  for (const node of all.nodes) {
    const { status, phone, body } = await sendBy(node);
    assert.equal(status, 200, JSON.stringify(body));
    const [message] = takenTo(phone);
    assert.equal(takenTo(phone).length, 1);
    const receipt = `id:${message?.id} sub:001 dlvrd:001 submit date:2611190900 done date:2611190901 stat:DELIVRD err:000 text:`;
    const delivered = await centre.deliver({
      ...{ source_addr: message?.phone, destination_addr: 'Zhiber', esm_class: 4 },
      short_message: receipt,
    });
    assert.equal(delivered, 0);
    await waitFor(
      () =>
        all.sql<{ receipt: string }>('select receipt from message where id = $1', [
          body.message_id,
        ]),
      ([row]) => row?.receipt === 'delivered',
    );
  }
  assert.equal(centre.bound.length, 1);
  const left = await all.sql('select id from handed_message');
  assert.deepEqual(left, [], 'what was handed over is gone');
});

test('a rate is that of the account, not of each node', async () => {
  const from = taken.length;
  const answers = await Promise.all(
    Array.from({ length: RATED_SENDS }, (_, i) => sendBy(all.nodes[i % 3] as Node)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(RATED_SENDS).fill(200),
  );
  const times = taken.slice(from).map(({ at }) => at);
  const tookMs = Math.max(...times) - Math.min(...times);
  assert.ok(tookMs >= ((RATED_SENDS - 1) / RATE) * 1_000 * 0.9, `${Math.round(tookMs)} ms`);
});

test('what the holder has not taken in time is not sent, also not later', async () => {
  const { holder, others } = await findHolder();
  holder.child.kill('SIGSTOP');
  try {
    const { status, phone, body } = await sendBy(others[0] as Node);
    assert.equal(status, 502, JSON.stringify(body));
    holder.child.kill('SIGCONT');
    // The holder, the same or another, takes what is handed over after it.
    const next = await waitFor(
      () => sendBy(others[0] as Node),
      (sent) => sent.status === 200,
    );
    assert.equal(takenTo(next.phone).length, 1);
    assert.equal(takenTo(phone).length, 0);
  } finally {
    holder.child.kill('SIGCONT');
  }
});

test('what the holder took before it died is unknown, free, and another node binds within seconds', async () => {
  const { holder, others } = await findHolder();
  const from = taken.length;
  isSilent = true;
  const sending = sendBy(others[0] as Node);
  await waitFor(
    () => taken.length,
    (count) => count > from,
  );
  const diedAt = performance.now();
  await holder.stop('SIGKILL');
  isSilent = false;
  const { status, phone, body } = await sending;
  assert.equal(status, 504, JSON.stringify(body));
  const works = await waitFor(
    () => sendBy(others[1] as Node),
    (sent) => sent.status === 200,
  );
  const tookMs = performance.now() - diedAt;
  assert.equal(takenTo(works.phone).length, 1);
  assert.equal(takenTo(phone).length, 1, 'it was not sent again');
  addToSummary(`SMPP: the holder was killed; SMS went on after ${Math.round(tookMs)} ms`);
  assert.ok(tookMs < 15_000, `${tookMs} ms`);
  const [row] = await all.sql<{ state: string; charged: number; hold: number }>(
    'select state, charged, hold from message where id = $1',
    [body.message_id],
  );
  assert.deepEqual(row, { state: 'unknown', charged: 0, hold: 0 });
});

test('a holder that stops gives the binds up at once', async () => {
  const { holder, others } = await findHolder();
  const { code } = await holder.stop('SIGTERM');
  assert.equal(code, 0);
  const stoppedAt = performance.now();
  await waitFor(
    () => centre.bound.length,
    (count) => count === 1,
  );
  const tookMs = performance.now() - stoppedAt;
  assert.equal((await sendBy(others[0] as Node)).status, 200);
  addToSummary(`SMPP: the holder stopped; the next was bound ${Math.round(tookMs)} ms later`);
  // Not only when the lease would have ended.
  assert.ok(tookMs < 4_000, `${tookMs} ms`);
});

test('the books are in order, and nothing that was handed over is left', () => all.audit());
