/** The guard against pumping, from the API to the table of its decisions. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { GuardMode } from '../../src/config/values.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { guardOnce, startGuard } from '../../src/guard/guard-rounds.ts';
import { listDecisions } from '../../src/guard/guard-store.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import { removeOutdated } from '../../src/jobs/upkeep-store.ts';
import { type Answered, caller, type TestKey, together, useService } from '../harness.ts';
import { openContext } from '../money/two-nodes.ts';
import { readMessage } from './dead-process.ts';
import { countsFor, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const closers: (() => Promise<unknown>)[] = [];
// Registered before the service's own: nothing of ours is open when the database is closed.
after(async () => {
  for (const close of closers) await close();
});
const service = useService({ providers: channels });

/** A process of the service that has just started. */
async function startNode(mode: GuardMode) {
  const { ctx, sandbox, close } = openContext(service, channels);
  ctx.config = { ...ctx.config, pumpingGuard: mode };
  const http = createHttpServer(ctx, sandbox);
  await http.ready();
  closers.push(() => http.close(), close);
  await guardOnce(ctx);
  const call = caller(() => ({ http }));
  return {
    ctx,
    round: () => guardOnce(ctx),
    send: (key: TestKey, phone: string, channel: string): Promise<Answered> =>
      call('/otp/send', { phone, channel }, key),
    sendLink: (key: TestKey, phone: string, channel: string): Promise<Answered> =>
      call('/links/send', { phone, channel, url: 'https://shop.kz' }, key),
    verify(key: TestKey, phone: string): Promise<Answered> {
      const message = [...channels.whatsapp.sentTo(phone), ...channels.sms.sentTo(phone)][0];
      return call('/otp/verify', { phone, code: message?.code }, key);
    },
  };
}
type Node = Awaited<ReturnType<typeof startNode>>;

const richKey = (settings: Parameters<typeof service.key>[0] = {}) =>
  service.key({ balance: 1_000, ...settings });

async function sendCodes(node: Node, key: TestKey, count: number): Promise<string[]> {
  const phones = Array.from({ length: count }, service.phone);
  const answers = await together(count, (i) => node.send(key, String(phones[i]), 'whatsapp'));
  for (const answer of answers) assert.equal(answer.status, 200);
  return phones;
}

/** As if what has been counted were of so many minutes before. In two steps, so that none meet. */
async function ageCounts(minutes: number): Promise<void> {
  await service.sql(`update guard_count set minute = minute - interval '1000 days';
    update guard_count set minute = minute + interval '1000 days' - interval '${minutes} minutes'`);
}

/** Codes of a company some minutes ago, as another node has written them. */
async function addCounts(key: TestKey, sent: number, verified: number): Promise<void> {
  await service.sql(
    `insert into guard_count (minute, company_id, prefix, sent, verified)
     values (date_trunc('minute', clock_timestamp()) - interval '5 minutes', $1, '7701', $2, $3)`,
    [key.companyId, sent, verified],
  );
}

async function countsOf({ companyId }: TestKey) {
  const rows = await service.sql<{ sent: number; verified: number }>(
    `select sum(sent)::integer as sent, sum(verified)::integer as verified from guard_count
     where company_id = $1`,
    [companyId],
  );
  return rows[0];
}

async function decisionsOf({ companyId }: TestKey) {
  const found = await listDecisions(service.ctx.db, { companyId, max: 10 });
  // A minute may have turned in between, and then there are two.
  const total = (what: 'sends' | 'probes') => found.reduce((sum, row) => sum + row[what], 0);
  return {
    rows: found.length,
    newest: found[0],
    sends: total('sends'),
    probes: total('probes'),
  };
}

async function assertBlocked(answer: Answered): Promise<void> {
  assert.equal(answer.status, 403, JSON.stringify(answer.body));
  assert.equal(answer.body.error_code, 'blocked_by_fraud_guard');
}

/** A company whose codes nobody verifies, and a node that has let this minute's probe through. */
async function suspectOn(mode: GuardMode, settings: Parameters<typeof service.key>[0] = {}) {
  const key = await richKey(settings);
  await addCounts(key, 60, 0);
  const node = await startNode(mode);
  if (mode === 'block') assert.equal((await node.send(key, service.phone(), 'sms')).status, 200);
  return { key, node };
}

test('codes that were sent and verified are counted by company and prefix', async () => {
  const node = await startNode('record');
  const key = await richKey();
  const free = await richKey({ companyId: key.companyId, isTest: true });
  const [phone] = await sendCodes(node, key, 3);
  assert.equal((await node.verify(key, String(phone))).status, 200);
  assert.equal((await node.verify(key, String(phone))).body.error_code, 'code_already_used');
  assert.equal((await node.send(key, String(phone), 'whatsapp')).status, 429);
  assert.equal((await node.send(free, '+77000000000', 'whatsapp')).status, 200);
  assert.equal((await node.sendLink(key, service.phone(), 'whatsapp')).status, 200);
  await node.round();
  const rows = await service.sql(
    'select prefix, sent, verified from guard_count where company_id = $1',
    [key.companyId],
  );
  assert.deepEqual(rows, [{ prefix: '7701', sent: 3, verified: 1 }]);
});

test('record: a suspicious share is written down once a minute, and nothing else changes', async () => {
  const first = await startNode('record');
  const key = await richKey();
  const phones = await sendCodes(first, key, 40);
  assert.equal((await first.verify(key, String(phones[0]))).status, 200);
  await first.round();
  assert.equal((await first.send(key, service.phone(), 'sms')).status, 200);
  assert.equal((await decisionsOf(key)).rows, 0, 'they are too young to be judged');

  await first.round();
  await ageCounts(3);
  const node = await startNode('record');
  for (let sends = 1; sends <= 3; sends++) {
    const sent = await node.send(key, service.phone(), 'sms');
    assert.deepEqual([sent.status, sent.body.cost], [200, 8]);
  }
  assert.equal((await node.sendLink(key, service.phone(), 'sms')).status, 200);
  assert.equal((await node.send(key, service.phone(), 'whatsapp')).status, 200);
  await node.round();
  assert.equal((await node.send(key, service.phone(), 'auto')).body.channel, 'whatsapp');
  await node.round();

  const { rows, newest, sends, probes } = await decisionsOf(key);
  assert(rows <= 2, 'one a minute');
  assert.deepEqual([sends, probes], [4, 0], 'what went by WhatsApp is no concern');
  const { window_from: from, window_to: to, bound, ...decision } = newest ?? assert.fail();
  assert.equal(to.getTime() - from.getTime(), 3_600_000);
  assert.equal(bound.toFixed(4), '0.1260');
  assert.deepEqual(
    { ...decision, sends: 0 },
    {
      company_id: key.companyId,
      prefix: '7701',
      sent: 41,
      verified: 1,
      action: 'recorded',
      sends: 0,
      probes: 0,
    },
  );
});

describe('block: while the share is suspicious', () => {
  test('an explicit SMS is refused before anything is held', async () => {
    const { key, node } = await suspectOn('block');
    const before = await service.balance(key.companyId);
    const phone = service.phone();
    await assertBlocked(await node.send(key, phone, 'sms'));
    await assertBlocked(await node.sendLink(key, phone, 'sms'));
    assert.deepEqual(await service.balance(key.companyId), before);
    const left = await service.sql(
      `select from gate where recipient = $1 union all select from message where recipient = $1`,
      [phone.slice(1)],
    );
    assert.equal(left.length, 0);
    await node.round();
    const { newest, sends, probes } = await decisionsOf(key);
    assert.deepEqual([newest?.action, sends, probes], ['blocked', 3, 1]);
  });

  test('auto goes on without SMS, now and later', async () => {
    const { key, node } = await suspectOn('block', { channels: ['sms', 'whatsapp'] });
    const phone = service.phone();
    const sent = await node.send(key, phone, 'auto');
    assert.equal(sent.body.channel, 'whatsapp');
    await service.passTime(32);
    await watchOnce(node.ctx);
    assert.deepEqual(countsFor(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
  });

  test('auto with nothing but SMS is refused', async () => {
    const { key, node } = await suspectOn('block', { channels: ['sms'] });
    await assertBlocked(await node.send(key, service.phone(), 'auto'));
    await assertBlocked(await node.sendLink(key, service.phone(), 'auto'));
  });

  test('a message from before does not fall back to SMS', async () => {
    const key = await richKey({ channels: ['whatsapp', 'sms'] });
    const phone = service.phone();
    const calm = await startNode('block');
    const sent = await calm.send(key, phone, 'auto');
    await addCounts(key, 60, 0);
    const node = await startNode('block');
    assert.equal((await node.send(key, service.phone(), 'sms')).status, 200, 'the probe');
    const { balance } = await service.balance(key.companyId);
    await service.passTime(32);
    await watchOnce(node.ctx);
    assert.deepEqual(countsFor(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
    const message = await readMessage(service, key, sent.body.message_id as MessageId);
    assert.deepEqual([message.state, message.route, message.receipt], ['sent', '', 'unconfirmed']);
    assert.deepEqual(await service.balance(key.companyId), { balance, held: 0 });
  });

  test('the try of a minute is not used up by what sends no SMS', async () => {
    const key = await richKey({ channels: ['whatsapp', 'sms'] });
    const hasty = service.phone();
    assert.equal((await (await startNode('block')).send(key, hasty, 'whatsapp')).status, 200);
    await addCounts(key, 60, 0);
    const node = await startNode('block');
    assert.equal((await node.send(key, hasty, 'sms')).body.error_code, 'send_rate_limited');
    assert.equal((await node.send(key, service.phone(), 'auto')).body.channel, 'whatsapp');
    assert.equal((await node.send(key, service.phone(), 'sms')).status, 200, 'the try');
    await assertBlocked(await node.send(key, service.phone(), 'sms'));
    await node.round();
    const { sends, probes } = await decisionsOf(key);
    assert.deepEqual([sends, probes], [2, 1]);
  });

  test('other prefixes, other companies and test keys have their SMS', async () => {
    const { key, node } = await suspectOn('block');
    const free = await richKey({ companyId: key.companyId, isTest: true });
    await assertBlocked(await node.send(key, service.phone(), 'sms'));
    assert.equal((await node.send(key, '+77770000001', 'sms')).status, 200);
    assert.equal((await node.send(free, service.phone(), 'sms')).status, 200);
    assert.equal((await node.send(await richKey(), service.phone(), 'sms')).status, 200);
  });
});

test('record: a message from before falls back to SMS, and that is written down', async () => {
  const { key, node } = await suspectOn('record', { channels: ['whatsapp', 'sms'] });
  const phone = service.phone();
  await node.send(key, phone, 'auto');
  await service.passTime(32);
  await watchOnce(node.ctx);
  assert.deepEqual(countsFor(channels, phone), { whatsapp: 1, telegram: 0, sms: 1 });
  await node.round();
  assert.equal((await decisionsOf(key)).sends, 1);
});

test('when people verify again SMS is open again, on every node after its next round', async () => {
  const { key, node } = await suspectOn('block');
  const other = await startNode('block');
  assert.equal((await other.send(key, service.phone(), 'sms')).status, 200, 'its own probe');
  await assertBlocked(await other.send(key, service.phone(), 'sms'));

  const phones = await sendCodes(node, key, 20);
  for (const phone of phones) assert.equal((await node.verify(key, phone)).status, 200);
  await assertBlocked(await node.send(key, service.phone(), 'sms'));
  await node.round();
  assert.equal((await node.send(key, service.phone(), 'sms')).status, 200);
  await assertBlocked(await other.send(key, service.phone(), 'sms'));
  await other.round();
  assert.equal((await other.send(key, service.phone(), 'sms')).status, 200);
});

test('two nodes count together', async () => {
  const key = await richKey();
  const nodes = [await startNode('block'), await startNode('block')];
  for (const node of nodes) await sendCodes(node, key, 20);
  await Promise.all(nodes.map((node) => node.round()));
  assert.deepEqual(await countsOf(key), { sent: 40, verified: 0 });
  await ageCounts(3);
  const third = await startNode('block');
  assert.equal((await third.send(key, service.phone(), 'sms')).status, 200, 'the probe');
  await assertBlocked(await third.send(key, service.phone(), 'sms'));
});

test('a stop writes what was counted, and the next start knows it', async () => {
  const key = await richKey();
  const node = await startNode('block');
  const running = await startGuard(node.ctx);
  await sendCodes(node, key, 30);
  await running.stop();
  assert.deepEqual(await countsOf(key), { sent: 30, verified: 0 });
  await ageCounts(3);
  const next = await startNode('block');
  assert.equal((await next.send(key, service.phone(), 'sms')).status, 200, 'the probe');
  await assertBlocked(await next.send(key, service.phone(), 'sms'));
});

test('counts go after their hour, decisions after ninety days', async () => {
  const companyId = 999_999 as CompanyId;
  const ago = (time: string) => `clock_timestamp() - interval '${time}', ${companyId}`;
  await service.sql(`
    insert into guard_count values
      (${ago('61 minutes')}, '1', 1, 1), (${ago('59 minutes')}, '2', 1, 1);
    insert into guard_decision values
      (${ago('91 days')}, '1', 40, 1, 0.1, 'blocked', 1, 1),
      (${ago('89 days')}, '2', 40, 1, 0.1, 'blocked', 1, 1)`);
  await removeOutdated(service.ctx.db);
  const left = await service.sql('select prefix from guard_count where company_id = $1', [
    companyId,
  ]);
  assert.deepEqual(left, [{ prefix: '2' }]);
  const decisions = await listDecisions(service.ctx.db, { companyId, max: 10 });
  assert.deepEqual(
    decisions.map(({ prefix }) => prefix),
    ['2'],
  );
});
