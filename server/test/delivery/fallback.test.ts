import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { setPrice } from '../../src/billing/manage-prices.ts';
import { openPriceCache } from '../../src/billing/price-cache.ts';
import { fallBack } from '../../src/delivery/fall-back.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { markKeyRevoked } from '../../src/keys/key-store.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { topUp } from '../../src/topups/top-up.ts';
import {
  advanceProcessClock,
  runConcurrently,
  type TestKey,
  until,
  useService,
} from '../harness.ts';
import { readMessage, type Sent, sendCode } from './dead-process.ts';
import { countSends, refuses, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

const send = (settings?: Parameters<typeof service.key>[0]) => sendCode(service, settings);

async function afterFallbackTime(): Promise<void> {
  await service.passTime(32);
  await watchOnce(service.ctx);
}

async function failOn({ key, id }: Sent, attempt: number): Promise<void> {
  const ref = { companyId: key.companyId, messageId: id, attempt };
  await recordReceipt(service.ctx, { ref, receipt: 'failed', reason: 'Не доставлено' });
}

async function deliverOn({ key, id }: Sent, attempt: number): Promise<void> {
  const ref = { companyId: key.companyId, messageId: id, attempt };
  await recordReceipt(service.ctx, { ref, receipt: 'delivered' });
}

async function acceptedBy(sent: Sent, channel: Channel): Promise<void> {
  await until(`${channel} accepts`, async () => {
    const message = await readMessage(service, sent.key, sent.id);
    return message.channel === channel;
  });
}

async function chargeEntriesOf(key: TestKey) {
  const rows = await service.sql<{ kind: string; amount: number }>(
    `select kind::text, amount from entry
     where company_id = $1 and kind in ('charge', 'charge_moved') order by created_at`,
    [key.companyId],
  );
  return rows.map(({ kind, amount }) => `${kind} ${amount}`);
}

test('without a receipt the same code goes by the next channel, and the charge of the answer stands', async () => {
  const sent = await send();
  const { key, phone, id } = sent;
  await afterFallbackTime();
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 0 });
  assert.deepEqual(await chargeEntriesOf(key), ['charge -3'], 'both channels have the same price');

  await afterFallbackTime();
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 1 });
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 5 });

  await afterFallbackTime();
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 1 });
  assert.deepEqual(await chargeEntriesOf(key), ['charge -3'], 'nothing was delivered');
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  const codes = Object.values(channels).map((channel) => channel.sentTo(phone)[0]?.code);
  assert.equal(new Set(codes).size, 1);
  assert.match(String(codes[0]), /^\d{6}$/);
  const timeline = await findTimeline(service.ctx.db, key.companyId, id);
  assert.equal(timeline?.state, 'unconfirmed');
  assert.equal(timeline?.channel, 'sms');
  assert.equal(timeline?.cost, 3);
  const verified = await service.call('/otp/verify', { phone, code: codes[0] }, key);
  assert.equal(verified.status, 200);
});

test('nothing is sent before the fallback time of the key', async () => {
  const { phone } = await send({ fallbackSeconds: 60 });
  await service.passTime(50);
  await watchOnce(service.ctx);
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
  await service.passTime(12);
  await watchOnce(service.ctx);
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 0 });
});

test('each failure receipt falls back at once, and the one of the last channel fails the message', async () => {
  const sent = await send();
  await failOn(sent, 1);
  await acceptedBy(sent, 'telegram');
  await failOn(sent, 2);
  await acceptedBy(sent, 'sms');
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 5 });
  await failOn(sent, 3);
  await afterFallbackTime();
  assert.deepEqual(await chargeEntriesOf(sent.key), ['charge -3']);
  const timeline = await findTimeline(service.ctx.db, sent.key.companyId, sent.id);
  assert.equal(timeline?.state, 'failed');
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 1 });
});

describe('the charge of a send that fell back', () => {
  const fallBackTo = async (order: Channel[]) => {
    const sent = await send({ channels: order });
    await afterFallbackTime();
    return sent;
  };
  const DEARER: Channel[] = ['whatsapp', 'sms'];
  const CHEAPER: Channel[] = ['sms', 'whatsapp'];

  test('moves to a dearer channel that has delivered, once', async () => {
    const sent = await fallBackTo(DEARER);
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 5 });
    for (let repeat = 0; repeat < 3; repeat++) await deliverOn(sent, 2);
    assert.deepEqual(await chargeEntriesOf(sent.key), ['charge -3', 'charge_moved -5']);
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 42, held: 0 });
    assert.equal((await readMessage(service, sent.key, sent.id)).charged, 8);
  });

  test('moves to a cheaper channel that has delivered', async () => {
    const sent = await fallBackTo(CHEAPER);
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 42, held: 0 });
    await deliverOn(sent, 2);
    assert.deepEqual(await chargeEntriesOf(sent.key), ['charge -8', 'charge_moved 5']);
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 0 });
  });

  for (const order of [DEARER, CHEAPER]) {
    const [first = 'whatsapp', second = 'sms'] = order;
    const charged = first === 'sms' ? 8 : 3;

    test(`stays with ${first} when ${second} fails`, async () => {
      const sent = await fallBackTo(order);
      await failOn(sent, 2);
      await afterFallbackTime();
      assert.deepEqual(await chargeEntriesOf(sent.key), [`charge -${charged}`]);
      assert.deepEqual(await service.balance(sent.key.companyId), {
        balance: 50 - charged,
        held: 0,
      });
    });

    test(`stays with ${first} when that delivers first, whatever ${second} reports later`, async () => {
      const sent = await fallBackTo(order);
      await deliverOn(sent, 1);
      assert.deepEqual(await service.balance(sent.key.companyId), {
        balance: 50 - charged,
        held: 0,
      });
      await deliverOn(sent, 2);
      assert.deepEqual(await chargeEntriesOf(sent.key), [`charge -${charged}`]);
    });

    test(`stays with ${first} when both are reported to have delivered at once`, async () => {
      const sent = await fallBackTo(order);
      await Promise.all([deliverOn(sent, 1), deliverOn(sent, 2)]);
      assert.deepEqual(await chargeEntriesOf(sent.key), [`charge -${charged}`]);
      assert.equal((await service.balance(sent.key.companyId)).held, 0);
    });

    test(`is final when the watch over ${second} has ended: a late receipt never charges`, async () => {
      const sent = await fallBackTo(order);
      await afterFallbackTime();
      await deliverOn(sent, 2);
      assert.deepEqual(await chargeEntriesOf(sent.key), [`charge -${charged}`]);
      assert.equal((await readMessage(service, sent.key, sent.id)).receipt, 'delivered');
    });

    test(`moves to ${second} at once when that has no receipts`, async () => {
      const sent = await send({ channels: order });
      channels[second].onSend(sent.phone, async () => ({
        result: 'accepted',
        providerId: 'mute',
        hasNoReceipts: true,
      }));
      await afterFallbackTime();
      assert.deepEqual(await chargeEntriesOf(sent.key), [
        `charge -${charged}`,
        `charge_moved ${charged === 3 ? -5 : 5}`,
      ]);
      assert.equal((await service.balance(sent.key.companyId)).held, 0);
    });
  }

  test('has the difference held until it is decided, so that nobody else can spend it', async () => {
    const sent = await send({ channels: DEARER, balance: 9 });
    await afterFallbackTime();
    const other = await service.call(
      '/otp/send',
      { phone: service.phone(), channel: 'whatsapp' },
      sent.key,
    );
    assert.deepEqual([other.status, other.body.balance], [402, 1]);
    await deliverOn(sent, 2);
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 1, held: 0 });
  });

  test('of three channels only the one that delivers is charged', async () => {
    const sent = await send({ channels: ['whatsapp', 'sms', 'telegram'] });
    await afterFallbackTime();
    await failOn(sent, 2);
    await acceptedBy(sent, 'telegram');
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 0 });
    await deliverOn(sent, 3);
    assert.deepEqual(await chargeEntriesOf(sent.key), ['charge -3']);
  });

  test('moves once when a hundred receipts come together', async () => {
    const sent = await fallBackTo(DEARER);
    await runConcurrently(100, () => deliverOn(sent, 2));
    assert.deepEqual(await chargeEntriesOf(sent.key), ['charge -3', 'charge_moved -5']);
  });
});

test('a refused fallback goes on to the next channel and moves no money', async () => {
  const sent = await send();
  channels.telegram.onSend(sent.phone, refuses);
  await afterFallbackTime();
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 1 });
  await deliverOn(sent, 3);
  assert.deepEqual(await chargeEntriesOf(sent.key), ['charge -3', 'charge_moved -5']);
});

test('the timeline of a fallback lists the steps of each channel once', async () => {
  const sent = await send();
  channels.telegram.onSend(sent.phone, refuses);
  await afterFallbackTime();
  const timeline = await findTimeline(service.ctx.db, sent.key.companyId, sent.id);
  const steps = timeline?.steps.map(({ step, channel }) => `${channel ?? 'request'} ${step}`);
  assert.deepEqual(
    steps?.filter((step) => step.startsWith('whatsapp')),
    ['whatsapp attempt', 'whatsapp sent', 'whatsapp unconfirmed'],
  );
  assert.deepEqual(
    steps?.filter((step) => step.startsWith('telegram')),
    ['telegram fallback', 'telegram refused'],
  );
  assert.deepEqual(
    steps?.filter((step) => step.startsWith('sms')),
    ['sms fallback', 'sms sent'],
  );
  await deliverOn(sent, 3);
});

test('the timeline shows the cost at the channel that has delivered', async () => {
  const sent = await send();
  await afterFallbackTime();
  await deliverOn(sent, 2);
  const timeline = await findTimeline(service.ctx.db, sent.key.companyId, sent.id);
  const costs = timeline?.steps
    .filter(({ step }) => step === 'sent')
    .map(({ channel, cost }) => `${channel} ${cost}`);
  assert.deepEqual(costs, ['whatsapp 0', 'telegram 3']);
});

test('when every later channel refuses, the message stays with the first channel and its charge', async () => {
  const sent = await send();
  channels.telegram.onSend(sent.phone, refuses);
  channels.sms.onSend(sent.phone, refuses);
  await afterFallbackTime();
  const timeline = await findTimeline(service.ctx.db, sent.key.companyId, sent.id);
  assert.equal(timeline?.channel, 'whatsapp');
  assert.equal(timeline?.state, 'unconfirmed');
  assert.deepEqual(await chargeEntriesOf(sent.key), ['charge -3']);
});

const preventingEvents: Record<string, (sent: Sent) => Promise<unknown>> = {
  'the code is verified': ({ key, phone }) => {
    const code = channels.whatsapp.sentTo(phone)[0]?.code;
    return service.call('/otp/verify', { phone, code }, key);
  },
  'the code has expired': () => service.passTime(301),
  'the message is delivered': ({ key, id }) => {
    const ref = { companyId: key.companyId, messageId: id, attempt: 1 };
    return recordReceipt(service.ctx, { ref, receipt: 'delivered' });
  },
  'the key is revoked': ({ key }) => markKeyRevoked(service.ctx.db, key),
  'a new code has replaced it': async ({ key, phone }) => {
    await service.passTime(61);
    await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
    return 1;
  },
};
for (const [event, happen] of Object.entries(preventingEvents)) {
  test(`neither the timeout nor a failure receipt falls back when ${event}`, async () => {
    const sent = await send();
    await happen(sent);
    await afterFallbackTime();
    await failOn(sent, 1);
    await fallBack(service.ctx, await readMessage(service, sent.key, sent.id));
    const counts = countSends(channels, sent.phone);
    assert.deepEqual({ ...counts, whatsapp: 0 }, { whatsapp: 0, telegram: 0, sms: 0 });
  });
}

test('the fallback of an older code does not send the newer one by the next channel', async () => {
  const sent = await send();
  await service.passTime(61);
  const newer = await service.call('/otp/send', { phone: sent.phone }, sent.key);
  assert.equal(newer.status, 200);
  await fallBack(service.ctx, await readMessage(service, sent.key, sent.id));
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 2, telegram: 0, sms: 0 });
});

test('a channel that was disabled after the send is skipped', async () => {
  const sent = await send();
  const { key, phone } = sent;
  await service.sql(`update api_key set channels = '{whatsapp,sms}' where id = $1`, [key.keyId]);
  await afterFallbackTime();
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 1 });
  await deliverOn(sent, 2);
});

test('without the money for the more expensive channel there is no fallback, and nothing stays held', async () => {
  const { key, phone } = await send({ channels: ['whatsapp', 'sms'], balance: 7 });
  await afterFallbackTime();
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
  assert.deepEqual(await service.balance(key.companyId), { balance: 4, held: 0 });
});

test('a top-up before the fallback pays for a channel that the send could not afford', async () => {
  const sent = await send({ channels: ['whatsapp', 'sms'], balance: 3 });
  const { key, phone } = sent;
  await topUp(service.ctx, { companyId: key.companyId, amount: 1_000 });
  await afterFallbackTime();
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 1 });
  await deliverOn(sent, 2);
  assert.deepEqual(await chargeEntriesOf(key), ['charge -3', 'charge_moved -5']);
});

test('a company that owes money falls back to no dearer channel, also with tokens left', async () => {
  const { key, phone } = await send({ channels: ['whatsapp', 'sms'], balance: 50 });
  // As a refund does that is larger than what was left, before a correction.
  await service.sql('update account set debt = 100 where company_id = $1', [key.companyId]);
  await afterFallbackTime();
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('the hold for a dearer channel that did not deliver pays for the next one', async (t) => {
  const { key, phone, id } = await send({ balance: 8 });
  const setTelegram = (tokens: number) =>
    setPrice(service.ctx, {}, { item: 'telegram', tokens, by: 'тест' });
  t.after(() => setTelegram(3));
  await setTelegram(8);
  // A node that has just started, so that its price cache is empty.
  const ctx = { ...service.ctx, prices: openPriceCache(service.ctx) };
  for (let fallback = 1; fallback <= 2; fallback++) {
    await service.passTime(32);
    await fallBack(ctx, await readMessage(service, key, id));
    assert.deepEqual(await service.balance(key.companyId), { balance: 5, held: 5 });
  }
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 1 });
});

test('a fallback costs what the company pays, not the common price', async () => {
  const sent = await send({ channels: ['whatsapp', 'sms'], balance: 20 });
  const { companyId } = sent.key;
  await setPrice(service.ctx, {}, { item: 'sms', companyId, tokens: 12, by: 'тест' });
  advanceProcessClock();
  await afterFallbackTime();
  assert.deepEqual(await service.balance(companyId), { balance: 17, held: 9 });
  await deliverOn(sent, 2);
  assert.deepEqual(await chargeEntriesOf(sent.key), ['charge -3', 'charge_moved -9']);
});

test('a link message falls back too, with its own text', async () => {
  const key = await service.key();
  const phone = service.phone();
  const body = { phone, url: 'https://shop.kz/order', channel: 'auto', text: 'Заказ: :link' };
  const sent = await service.call('/links/send', body, key);
  await afterFallbackTime();
  const [second] = channels.telegram.sentTo(phone);
  assert.equal(second?.text, `Заказ: ${sent.body.short_url}`);
  assert.equal(second?.code, undefined);
});

test('with a test key a fallback is free and arrives in the virtual phone', async () => {
  const key = await service.key({ isTest: true, balance: 0 });
  const phone = '+77000000002';
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.body.channel, 'whatsapp');
  await afterFallbackTime();
  const messages = service.sandbox.phone.messages({ keyId: key.keyId, phone });
  assert.deepEqual(
    messages.map((message) => message.channel),
    ['whatsapp', 'telegram'],
  );
  assert.equal(messages[0]?.code, messages[1]?.code);
  assert.deepEqual(await chargeEntriesOf(key), []);
});
