/** The guard against pumping, from the API to the table of its decisions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchOnce } from '../../src/delivery/watch.ts';
import { startGuard } from '../../src/guard/guard-rounds.ts';
import { listDecisions } from '../../src/guard/guard-store.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import { removeOutdated } from '../../src/jobs/remove-outdated.ts';
import { readMessage } from './dead-process.ts';
import {
  addCounts,
  ageCounts,
  assertBlocked,
  channels,
  countsOf,
  decisionsOf,
  richKey,
  sendCodes,
  service,
  startNode,
  suspectOn,
} from './pumping-rig.ts';
import { countsFor } from './scripted-channel.ts';

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
  await removeOutdated(service.ctx, new AbortController().signal);
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
