/** What a key with a cap has spent, wherever the money of a message moves after it was sent. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { readAudit } from '../../src/billing/invariant-store.ts';
import { readAccount } from '../../src/billing/ledger-store.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { refuseSends } from '../../src/delivery/refusal-store.ts';
import { endWatch, findFallbackMessage } from '../../src/delivery/watch-store.ts';
import { readMessage, type Sent, sendCode } from '../delivery/dead-process.ts';
import { countSends, refuses, scriptedChannels } from '../delivery/scripted-channel.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { connectionOf } from './two-nodes.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });
const TWO_CHANNELS = ['whatsapp', 'sms'] as const;

afterEach(async () => {
  const { violations } = await readAudit(connectionOf(service));
  assert.equal(violations.key_spend_is_not_sum_of_messages, 0);
  assert.equal(violations.key_day_spend_is_not_sum_of_messages, 0);
});

/** Both caps, whose counts move together on one day. */
const sendWithCap = (cap: number, more: Parameters<typeof service.key>[0] = {}) =>
  sendCode(service, {
    ...{ channels: TWO_CHANNELS, monthlyCap: cap, dailyCap: cap, balance: 100 },
    ...more,
  });

async function spentBy({ keyId }: TestKey): Promise<number | undefined> {
  const rows = await service.sql<{ month: number; day: number }>(
    `select m.spent as month, d.spent as day from key_spend m full join key_day_spend d using (key_id)
     where key_id = $1`,
    [keyId],
  );
  assert.equal(rows[0]?.day, rows[0]?.month);
  return rows[0]?.month;
}

async function report({ key, id }: Sent, attempt: number, receipt: 'failed' | 'delivered') {
  const ref = { companyId: key.companyId, messageId: id, attempt };
  await recordReceipt(service.ctx, { ref, receipt });
}

async function fallsBackToSms(sent: Sent): Promise<void> {
  await report(sent, 1, 'failed');
  await until('SMS accepts', async () => {
    const message = await readMessage(service, sent.key, sent.id);
    return message.channel === 'sms';
  });
}

test('a fallback to a dearer channel counts: first its hold, then its charge', async () => {
  const sent = await sendWithCap(8);
  assert.equal(await spentBy(sent.key), 3);
  await fallsBackToSms(sent);
  assert.equal(await spentBy(sent.key), 8, 'the difference is held');
  await report(sent, 2, 'delivered');
  assert.equal(await spentBy(sent.key), 8);
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 92, held: 0 });
});

for (const cap of ['monthlyCap', 'dailyCap'] as const) {
  test(`a ${cap} with no room for the dearer channel passes it over`, async () => {
    const sent = await sendWithCap(7, { monthlyCap: 100, dailyCap: 100, [cap]: 7 });
    await report(sent, 1, 'failed');
    await until('the watch has ended', async () => {
      const message = await readMessage(service, sent.key, sent.id);
      return message.route === '';
    });
    assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 0 });
    assert.equal(await spentBy(sent.key), 3);
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 97, held: 0 });
  });
}

test('a late delivery by the first channel gives the difference back', async () => {
  const sent = await sendWithCap(8);
  await fallsBackToSms(sent);
  await report(sent, 1, 'delivered');
  assert.equal(await spentBy(sent.key), 3);
});

test('a fallback that is refused gives its hold back', async () => {
  const sent = await sendWithCap(8);
  channels.sms.onSend(sent.phone, refuses);
  await report(sent, 1, 'failed');
  await until('the watch has ended', async () => {
    const message = await readMessage(service, sent.key, sent.id);
    return message.route === '' && message.hold === 0;
  });
  assert.equal(countSends(channels, sent.phone).sms, 1);
  assert.equal(await spentBy(sent.key), 3);
});

test('the end of the watch gives back what was held for a delivery', async () => {
  const sent = await sendWithCap(8);
  await fallsBackToSms(sent);
  const message = await findFallbackMessage(service.ctx.db, sent.key.companyId, sent.id);
  assert(message !== undefined);
  await endWatch(service.ctx.db, message);
  assert.equal(await spentBy(sent.key), 3);
});

test('watches that end together give each company its own back, once', async () => {
  const endings = [];
  for (const { times, hasHold } of [
    { times: 2, hasHold: true },
    { times: 1, hasHold: true },
    { times: 1, hasHold: false },
  ]) {
    const sent = await sendCode(service, { channels: TWO_CHANNELS, balance: 100 });
    if (hasHold) await fallsBackToSms(sent);
    const { companyId } = sent.key;
    const message = await findFallbackMessage(service.ctx.db, companyId, sent.id);
    assert(message !== undefined);
    endings.push({ companyId, messages: Array(times).fill(message) });
  }
  // Other messages of the companies hold as much.
  const holdMore = (companyId: number, tokens: number) =>
    service.sql('update account set held = held + $2 where company_id = $1', [companyId, tokens]);
  for (const { companyId } of endings) await holdMore(companyId, 5);
  await Promise.all(
    endings.flatMap(({ messages }) => messages.map((one) => endWatch(service.ctx.db, one))),
  );
  for (const { companyId } of endings) {
    const { held } = await readAccount(service.ctx.db, companyId);
    await holdMore(companyId, -held);
    assert.equal(held, 5);
  }
});

test('a cheaper fallback that delivers counts as what it costs', async () => {
  const sent = await sendWithCap(8, { channels: ['sms', 'whatsapp'] });
  assert.equal(await spentBy(sent.key), 8);
  await report(sent, 1, 'failed');
  await until('WhatsApp accepts', async () => {
    const message = await readMessage(service, sent.key, sent.id);
    return message.channel === 'whatsapp';
  });
  await report(sent, 2, 'delivered');
  assert.equal(await spentBy(sent.key), 3);
});

test('a refunded charge gives its room back, also with a hold for a fallback', async () => {
  for (const isFallenBack of [false, true]) {
    const sent = await sendWithCap(8);
    if (isFallenBack) await fallsBackToSms(sent);
    const { key, id, phone } = sent;
    const refused = {
      companyId: key.companyId,
      id,
      keyId: key.keyId,
      kind: 'otp' as const,
      isTest: false,
      recipient: phone.slice(1),
      requestId: 'req_refused',
      hasLeft: true,
    };
    assert.deepEqual(await refuseSends(service.ctx.db, [refused]), [true]);
    assert.equal(await spentBy(key), 0);
    assert.deepEqual(await service.balance(key.companyId), { balance: 100, held: 0 });
  }
});
