/** An operator who charges for each part of an SMS. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { estimateCost } from '../../src/broadcasts/drafts/estimate.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { readMessage } from '../../src/messages/read-message.ts';
import { createBroadcastRig } from '../broadcasts/broadcast-rig.ts';
import {
  EVERYTHING,
  refuses,
  scriptedChannel,
  scriptedChannels,
} from '../delivery/scripted-channel.ts';
import { type TestKey, useService } from '../harness.ts';

const channels = {
  ...scriptedChannels(),
  whatsapp: scriptedChannel('whatsapp', [...EVERYTHING, 'broadcast']),
  sms: scriptedChannel('sms', [...EVERYTHING, 'broadcast']),
};
const service = useService({ providers: channels, env: { SMS_PRICE_PER_PART: 'yes' } });

/** 57 letters: with a short link it is longer than the 70 of one part. */
const TWO_PARTS = 'Ваш заказ собран и ждёт вас на складе по адресу Абая, 10';

const sendLink = (key: TestKey, text: string, channel = 'sms') =>
  service.call(
    '/links/send',
    { phone: service.phone(), url: 'https://example.kz/a', text, channel },
    key,
  );

test('a link in two parts costs twice the price of an SMS, and one in a part costs it once', async () => {
  const key = await service.key({ channels: ['sms'], balance: 100 });
  const long = await sendLink(key, TWO_PARTS);
  assert.deepEqual([long.status, long.body.cost, long.body.balance], [200, 16, 84]);
  const short = await sendLink(key, 'Ваш заказ');
  assert.deepEqual([short.status, short.body.cost, short.body.balance], [200, 8, 76]);
});

test('a messenger costs its price, however long the text is', async () => {
  const key = await service.key({ channels: ['whatsapp', 'sms'], balance: 100 });
  const sent = await sendLink(key, TWO_PARTS, 'auto');
  assert.deepEqual([sent.body.channel, sent.body.cost], ['whatsapp', 3]);
});

test('a balance for one part does not pay for two', async () => {
  const key = await service.key({ channels: ['sms'], balance: 15 });
  const refused = await sendLink(key, TWO_PARTS);
  assert.equal(refused.status, 402);
  assert.deepEqual([refused.body.required, refused.body.balance], [16, 15]);
  const sent = await sendLink(key, 'Ваш заказ');
  assert.equal(sent.body.cost, 8);
});

test('a code with a link costs its parts, and a code alone one', async () => {
  const key = await service.key({ channels: ['sms'], balance: 100 });
  const alone = await service.call('/otp/send', { phone: service.phone(), channel: 'sms' }, key);
  assert.equal(alone.body.cost, 8);
  const phone = service.phone();
  const body = { phone, channel: 'sms', link: 'https://example.kz/confirm' };
  const sent = await service.call('/otp/send', body, key);
  const text = channels.sms.sentTo(phone).at(-1)?.text ?? '';
  assert.equal(sent.body.cost, text.length > 70 ? 16 : 8, text);
});

test('the fallback to SMS moves the charge to the price of its parts', async () => {
  const key = await service.key({ channels: ['whatsapp', 'sms'], balance: 100 });
  const sent = await sendLink(key, TWO_PARTS, 'auto');
  const id = sent.body.message_id as MessageId;
  const shown = await readMessage(service.ctx, key.companyId, id, { canSeePhones: true });
  assert.deepEqual(shown?.other_channels, [{ channel: 'sms', price: 16 }]);
  await service.passTime(32);
  await watchOnce(service.ctx);
  const [held] = await service.sql<{ hold: number; pending_price: number }>(
    'select hold, pending_price from message where id = $1',
    [id],
  );
  assert.deepEqual(held, { hold: 13, pending_price: 16 });
});

test('the fallback to a messenger moves the charge to its price, however long the text is', async () => {
  const key = await service.key({ channels: ['sms', 'whatsapp'], balance: 100 });
  const sent = await sendLink(key, TWO_PARTS, 'auto');
  assert.deepEqual([sent.body.channel, sent.body.cost], ['sms', 16]);
  await service.passTime(32);
  await watchOnce(service.ctx);
  const [moved] = await service.sql(
    'select channel, hold, pending_price from message where id = $1',
    [sent.body.message_id],
  );
  assert.deepEqual(moved, { channel: 'whatsapp', hold: 0, pending_price: 3 });
});

describe('a broadcast', () => {
  const rig = createBroadcastRig(() => service.ctx, service.sql);

  test('is estimated and charged by the parts of each text', async () => {
    const key = await service.key({ balance: 1_000 });
    const phones = [service.phone(), service.phone()];
    const id = await rig.draft(key.companyId, phones, { text: TWO_PARTS });
    const estimate = await estimateCost(service.ctx, { companyId: key.companyId, id });
    assert.deepEqual([estimate.least, estimate.expected, estimate.most], [32, 32, 32]);
    await rig.start(id);
    await rig.tick(id);
    assert.equal((await rig.read(id)).held, 32);
    await rig.sendAll();
    const charged = await service.sql<{ charged: number; text: string }>(
      'select charged, body as text from message where company_id = $1',
      [key.companyId],
    );
    assert.deepEqual(
      charged.map((row) => row.charged),
      [16, 16],
      charged[0]?.text,
    );
    assert.equal((await rig.tick(id)).does, 'end');
    assert.deepEqual(await service.balance(key.companyId), { balance: 968, held: 0 });
  });

  test('holds two parts for each SMS until its text is known, and gives back what it did not need', async () => {
    const companyId = await service.company(1_000);
    const to = [service.phone(), service.phone(), service.phone()];
    const id = await rig.draft(companyId, to);
    await rig.start(id);
    await rig.tick(id);
    assert.equal((await rig.read(id)).held, 48);
    assert.deepEqual(await service.balance(companyId), { balance: 1_000, held: 48 });
    await rig.sendAll();
    assert.equal((await rig.tick(id)).does, 'end');
    assert.deepEqual(await service.balance(companyId), { balance: 976, held: 0 });
  });

  for (const [name, text, price] of [
    ['one part', 'Скидка 20 % до пятницы', 8],
    ['two parts', TWO_PARTS, 16],
  ] as const) {
    test(`that paused for money goes on with the price of its text in ${name}, and is not tried again without new money`, async () => {
      const companyId = await service.company(2);
      const id = await rig.draft(companyId, [service.phone()], { text });
      await rig.start(id);
      await rig.tick(id);
      for (const balance of [2, 7, price - 1]) {
        await service.correct(companyId, balance - (await service.balance(companyId)).balance);
        await rig.tick(id);
        await rig.sendAll();
        assert.equal((await rig.read(id)).pause_reason, 'money', `${balance} tokens`);
        assert.equal((await rig.tick(id)).does, 'stay', `${balance} tokens`);
      }
      await service.correct(companyId, 1);
      assert.equal((await rig.tick(id)).does, 'run');
      await rig.sendAll();
      assert.equal((await rig.tick(id)).does, 'end');
      assert.deepEqual(await service.balance(companyId), { balance: 0, held: 0 });
    });
  }

  test('a messenger in it costs its price, and SMS after it the price of its parts', async () => {
    const companyId = await service.company(1_000);
    const [taken, refused] = [service.phone(), service.phone()];
    channels.whatsapp.onSend(refused, refuses);
    const id = await rig.draft(companyId, [taken, refused], {
      text: TWO_PARTS,
      channels: ['whatsapp', 'sms'],
    });
    const { least, most } = await estimateCost(service.ctx, { companyId, id });
    assert.deepEqual([least, most], [6, 32]);
    await rig.start(id);
    await rig.tick(id);
    await rig.sendAll();
    assert.equal((await rig.tick(id)).does, 'end');
    const charged = await service.sql(
      'select channel, charged from message where company_id = $1 order by channel',
      [companyId],
    );
    assert.deepEqual(charged, [
      { channel: 'whatsapp', charged: 3 },
      { channel: 'sms', charged: 16 },
    ]);
    assert.deepEqual(await service.balance(companyId), { balance: 981, held: 0 });
  });

  test('waits for tokens when what is left pays for one part of a text of two', async () => {
    const companyId = await service.company(8);
    const id = await rig.draft(companyId, [service.phone()], { text: TWO_PARTS });
    await rig.start(id);
    await rig.tick(id);
    await rig.sendAll();
    assert.deepEqual(await rig.outcomes(id), { waiting: 1 });
    assert.equal((await rig.read(id)).pause_reason, 'money');
    assert.equal((await rig.tick(id)).does, 'stay');
    await rig.cancel(id);
    assert.deepEqual(await service.balance(companyId), { balance: 8, held: 0 });
  });
});
