import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deliver } from '../../src/delivery/deliver.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { together, useService } from '../harness.ts';
import { type OpenedContext, openContext } from '../money/two-nodes.ts';
import { readMessage, reserveThenDie } from './dead-process.ts';
import { accepts, refuses, scriptedChannel, scriptedChannels } from './scripted-channel.ts';

/** WhatsApp here knows a repeat for what it is, Telegram can be taken up as well, SMS cannot. */
const channels = scriptedChannels();
for (const name of ['whatsapp', 'telegram'] as const) {
  const channel = scriptedChannel(name);
  channels[name] = { ...channel, recover: channel.send };
}
const service = useService({ providers: channels });
let opened: OpenedContext | undefined;
after(async () => opened?.close());

/** Another process, in which the watch finds what the dead one left. */
async function watchLater() {
  opened ??= openContext(service, channels);
  await service.passTime(40);
  await watchOnce(opened.ctx);
}

async function die() {
  const key = await service.key();
  const phone = service.phone();
  const id = await reserveThenDie(service, { key, phone, code: '246810' });
  return { key, phone, id, message: () => readMessage(service, key, id) };
}

test('a message that a provider can be given again is sent once, with its code, and charged once', async () => {
  const { key, phone, id, message } = await die();
  await watchLater();
  await watchOnce(service.ctx);
  const { state, channel, charged, route } = await message();
  assert.deepEqual({ state, channel, charged }, { state: 'sent', channel: 'whatsapp', charged: 3 });
  assert.equal(route, 'telegram,sms');
  const sent = channels.whatsapp.sentTo(phone);
  assert.deepEqual(
    sent.map(({ ref, code, load }) => ({ ref, code, load })),
    [
      {
        ref: { companyId: key.companyId, messageId: id, attempt: 1 },
        code: '246810',
        load: 'code',
      },
    ],
  );
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  assert.equal((await service.call('/otp/verify', { phone, code: '246810' }, key)).status, 200);
});

test('a channel that says no again is followed by the next, as it was the first time', async () => {
  const { key, phone, message } = await die();
  channels.whatsapp.onSend(phone, refuses);
  channels.telegram.onSend(phone, accepts);
  await watchLater();
  assert.deepEqual([(await message()).state, (await message()).channel], ['sent', 'telegram']);
  assert.equal(channels.telegram.sentTo(phone)[0]?.ref.attempt, 2);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('it ends at a channel that may have it and cannot tell: unknown and free', async () => {
  const { key, phone, message } = await die();
  channels.whatsapp.onSend(phone, refuses);
  channels.telegram.onSend(phone, refuses);
  await watchLater();
  assert.equal((await message()).state, 'unknown');
  assert.equal(channels.sms.sentTo(phone).length, 0);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
});

test('a code that was used meanwhile is not sent again', async () => {
  const { key, phone, message } = await die();
  assert.equal((await service.call('/otp/verify', { phone, code: '246810' }, key)).status, 200);
  await watchLater();
  assert.equal((await message()).state, 'unknown');
  assert.equal(channels.whatsapp.sentTo(phone).length, 0);
});

test('two nodes that find it at once take it up once', async () => {
  const lost = await together(20, die);
  opened ??= openContext(service, channels);
  await service.passTime(40);
  const { ctx } = opened;
  await together(4, (index) => watchOnce(index % 2 === 0 ? ctx : service.ctx));
  for (const { key, phone, message } of lost) {
    assert.equal((await message()).state, 'sent');
    assert.equal(channels.whatsapp.sentTo(phone).length, 1);
    assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  }
});

test('the way of a message that cannot be taken up is not gone again', async () => {
  const { attempts } = await deliver(
    service.ctx,
    {
      ref: { companyId: 1 as never, messageId: 'none' as never, attempt: 1 },
      keyId: 1,
      isTest: false,
      to: { phone: '77010000001' as never },
      load: 'code',
      language: 'ru',
      compose: () => ({ text: '' }),
    },
    [{ channel: 'sms', price: 8 }],
    'recover',
  );
  assert.deepEqual(
    attempts.map(({ state }) => state),
    ['unknown'],
  );
});
