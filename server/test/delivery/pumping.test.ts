/** The SMS pumping guard, from the API to the table of its decisions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startGuard } from '../../src/abuse/guard-rounds.ts';
import { listDecisions } from '../../src/abuse/guard-store.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import { removeOutdated } from '../../src/jobs/remove-outdated.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { readMessage } from './dead-process.ts';
import {
  addCounts,
  ageCounts,
  assertBlocked,
  channels,
  readCounts,
  readDecisions,
  richKey,
  sendCodes,
  service,
  startNode,
  startWithSuspect,
} from './pumping-rig.ts';
import { countSends } from './scripted-channel.ts';

test('codes that were sent and verified are counted by company and prefix', async () => {
  const node = await startNode('record');
  const key = await richKey();
  const testKey = await richKey({ companyId: key.companyId, isTest: true });
  const [phone] = await sendCodes(node, key, 3);
  assert.equal((await node.verify(key, String(phone))).status, 200);
  assert.equal((await node.verify(key, String(phone))).body.error_code, 'code_already_used');
  assert.equal((await node.send(key, String(phone), 'whatsapp')).status, 429);
  assert.equal((await node.send(testKey, '+77000000000', 'whatsapp')).status, 200);
  assert.equal((await node.sendLink(key, service.phone(), 'whatsapp')).status, 200);
  await node.round();
  const rows = await service.sql(
    'select prefix, sent, verified from guard_count where company_id = $1',
    [key.companyId],
  );
  assert.deepEqual(rows, [{ prefix: '7701', sent: 3, verified: 1 }]);
});

test('record mode: a suspicious share is recorded once a minute and nothing is refused', async () => {
  const first = await startNode('record');
  const key = await richKey();
  const phones = await sendCodes(first, key, 40);
  assert.equal((await first.verify(key, String(phones[0]))).status, 200);
  await first.round();
  assert.equal((await first.send(key, service.phone(), 'sms')).status, 200);
  assert.equal((await readDecisions(key)).rows, 0, 'recent sends are not judged yet');

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

  const { rows, newest, sends, probes } = await readDecisions(key);
  assert(rows <= 2, 'one row a minute');
  assert.deepEqual([sends, probes], [4, 0], 'WhatsApp sends are not counted');
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

describe('block mode, while the share is suspicious', () => {
  test('an explicit SMS is refused before anything is held', async () => {
    const { key, node } = await startWithSuspect('block');
    const before = await service.balance(key.companyId);
    const phone = service.phone();
    await assertBlocked(await node.send(key, phone, 'sms'));
    await assertBlocked(await node.sendLink(key, phone, 'sms'));
    assert.deepEqual(await service.balance(key.companyId), before);
    const left = await service.sql(
      `select from recent_sends where recipient = $1 union all select from message where recipient = $1`,
      [phone.slice(1)],
    );
    assert.equal(left.length, 0);
    await node.round();
    const { newest, sends, probes } = await readDecisions(key);
    assert.deepEqual([newest?.action, sends, probes], ['blocked', 3, 1]);
  });

  test('auto skips SMS, also in later fallbacks', async () => {
    const { key, node } = await startWithSuspect('block', { channels: ['sms', 'whatsapp'] });
    const phone = service.phone();
    const sent = await node.send(key, phone, 'auto');
    assert.equal(sent.body.channel, 'whatsapp');
    await service.passTime(32);
    await watchOnce(node.ctx);
    assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
  });

  test('auto is refused when SMS is the only channel', async () => {
    const { key, node } = await startWithSuspect('block', { channels: ['sms'] });
    await assertBlocked(await node.send(key, service.phone(), 'auto'));
    await assertBlocked(await node.sendLink(key, service.phone(), 'auto'));
  });

  test('a message sent earlier does not fall back to SMS', async () => {
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
    assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
    const message = await readMessage(service, key, sent.body.message_id as MessageId);
    assert.deepEqual([message.state, message.route, message.receipt], ['sent', '', 'unconfirmed']);
    assert.deepEqual(await service.balance(key.companyId), { balance, held: 0 });
  });

  test('a fallback that cannot pay for an SMS does not use up the probe of the minute', async () => {
    const key = await service.key({ channels: ['whatsapp', 'sms'], balance: 5 });
    const phone = service.phone();
    const calm = await startNode('block');
    assert.equal((await calm.send(key, phone, 'auto')).body.channel, 'whatsapp');
    await addCounts(key, 60, 0);
    const node = await startNode('block');
    await service.passTime(32);
    await watchOnce(node.ctx);
    assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
    const { companyId } = key;
    await topUp(node.ctx, { companyId, amount: 1_000 } as Parameters<typeof topUp>[1]);
    assert.equal((await node.send(key, service.phone(), 'sms')).status, 200, 'the probe');
    await assertBlocked(await node.send(key, service.phone(), 'sms'));
  });

  test('a send without SMS does not use up the probe of the minute', async () => {
    const key = await richKey({ channels: ['whatsapp', 'sms'] });
    const samePhone = service.phone();
    assert.equal((await (await startNode('block')).send(key, samePhone, 'whatsapp')).status, 200);
    await addCounts(key, 60, 0);
    const node = await startNode('block');
    assert.equal((await node.send(key, samePhone, 'sms')).body.error_code, 'send_rate_limited');
    assert.equal((await node.send(key, service.phone(), 'auto')).body.channel, 'whatsapp');
    assert.equal((await node.send(key, service.phone(), 'sms')).status, 200, 'the probe');
    await assertBlocked(await node.send(key, service.phone(), 'sms'));
    await node.round();
    const { sends, probes } = await readDecisions(key);
    assert.deepEqual([sends, probes], [2, 1]);
  });

  test('other prefixes, other companies and test keys can still send SMS', async () => {
    const { key, node } = await startWithSuspect('block');
    const testKey = await richKey({ companyId: key.companyId, isTest: true });
    await assertBlocked(await node.send(key, service.phone(), 'sms'));
    assert.equal((await node.send(key, '+77770000001', 'sms')).status, 200);
    assert.equal((await node.send(testKey, service.phone(), 'sms')).status, 200);
    assert.equal((await node.send(await richKey(), service.phone(), 'sms')).status, 200);
  });
});

test('record mode: a message sent earlier falls back to SMS, and the guard records it', async () => {
  const { key, node } = await startWithSuspect('record', { channels: ['whatsapp', 'sms'] });
  const phone = service.phone();
  await node.send(key, phone, 'auto');
  await service.passTime(32);
  await watchOnce(node.ctx);
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 1 });
  await node.round();
  assert.equal((await readDecisions(key)).sends, 1);
});

test('when people verify codes again, each node allows SMS after its next round', async () => {
  const { key, node } = await startWithSuspect('block');
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

test('the counts of two nodes are added up', async () => {
  const key = await richKey();
  const nodes = [await startNode('block'), await startNode('block')];
  for (const node of nodes) await sendCodes(node, key, 20);
  await Promise.all(nodes.map((node) => node.round()));
  assert.deepEqual(await readCounts(key), { sent: 40, verified: 0 });
  await ageCounts(3);
  const third = await startNode('block');
  assert.equal((await third.send(key, service.phone(), 'sms')).status, 200, 'the probe');
  await assertBlocked(await third.send(key, service.phone(), 'sms'));
});

test('shutdown stores the counts, and the next start reads them', async () => {
  const key = await richKey();
  const node = await startNode('block');
  const running = await startGuard(node.ctx);
  await sendCodes(node, key, 30);
  await running.stop();
  assert.deepEqual(await readCounts(key), { sent: 30, verified: 0 });
  await ageCounts(3);
  const next = await startNode('block');
  assert.equal((await next.send(key, service.phone(), 'sms')).status, 200, 'the probe');
  await assertBlocked(await next.send(key, service.phone(), 'sms'));
});

test('counts are removed after an hour, decisions after ninety days', async () => {
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
