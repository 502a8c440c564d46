import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../harness.ts';
import { refuses, scriptedChannel } from './scripted-channel.ts';

// Like real providers: a WhatsApp authentication template has no URL, an SMS gateway sends only
// codes.
const channels = {
  whatsapp: scriptedChannel('whatsapp', ['code', 'text']),
  sms: scriptedChannel('sms', ['code', 'code_with_link']),
};
// Telegram has no provider at all.
const service = useService({ providers: channels });

const link = 'https://shop.kz/order/42';

test('an explicit channel that cannot carry a link with the code is refused', async () => {
  const key = await service.key();
  const phone = service.phone();
  const sent = await service.call('/otp/send', { phone, link, channel: 'whatsapp' }, key);
  assert.equal(sent.status, 422);
  assert.equal(sent.body.error_code, 'channel_unsuitable');
  assert.equal(channels.whatsapp.sentTo(phone).length, 0);
  const plain = await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
  assert.equal(plain.status, 200, 'the refused send does not count against limits');
});

test('auto skips a channel that cannot carry a link with the code', async () => {
  const key = await service.key();
  const phone = service.phone();
  const sent = await service.call('/otp/send', { phone, link }, key);
  assert.equal(sent.body.channel, 'sms');
  assert.equal(sent.body.cost, 8);
  assert.equal(channels.whatsapp.sentTo(phone).length, 0);
  const [message] = channels.sms.sentTo(phone);
  assert.equal(message?.content, 'code_with_link');
  assert(message?.text.includes(String(sent.body.short_url)));
});

test('auto does not return to a skipped channel when the others refuse', async () => {
  const key = await service.key();
  const phone = service.phone();
  channels.sms.onSend(phone, refuses);
  const sent = await service.call('/otp/send', { phone, link }, key);
  assert.equal(sent.status, 502);
  assert.equal(channels.whatsapp.sentTo(phone).length, 0);
});

test('a channel without a provider is not connected when explicit, and skipped by auto', async () => {
  const key = await service.key({ channels: ['telegram', 'whatsapp'] });
  const phone = service.phone();
  const explicit = await service.call('/otp/send', { phone, channel: 'telegram' }, key);
  assert.equal(explicit.body.error_code, 'channel_not_connected');
  const auto = await service.call('/otp/send', { phone }, key);
  assert.equal(auto.body.channel, 'whatsapp');
});

test('auto answers no_channel_available when no channel can carry the message', async () => {
  const key = await service.key({ channels: ['telegram', 'whatsapp'] });
  const sent = await service.call('/otp/send', { phone: service.phone(), link }, key);
  assert.equal(sent.status, 422);
  assert.equal(sent.body.error_code, 'no_channel_available');
});

test('a channel that the key has disabled is refused as disabled', async () => {
  const key = await service.key({ channels: ['whatsapp'] });
  const body = { phone: service.phone(), channel: 'sms' };
  const sent = await service.call('/otp/send', body, key);
  assert.equal(sent.body.error_code, 'channel_disabled');
});

test('SMS is sent only to the configured countries', async () => {
  const key = await service.key();
  const phone = '+79161234567';
  const explicit = await service.call('/otp/send', { phone, channel: 'sms' }, key);
  assert.equal(explicit.body.error_code, 'country_not_supported');
  channels.whatsapp.onSend(phone, refuses);
  const auto = await service.call('/otp/send', { phone }, key);
  assert.equal(auto.status, 502);
  assert.equal(channels.sms.sentTo(phone).length, 0, 'auto uses only messengers for this country');
});

test('a link message uses only channels that carry text', async () => {
  const key = await service.key();
  const phone = service.phone();
  const sms = await service.call('/links/send', { phone, url: link, channel: 'sms' }, key);
  assert.equal(sms.body.error_code, 'channel_unsuitable');
  const auto = await service.call('/links/send', { phone, url: link, channel: 'auto' }, key);
  assert.equal(auto.body.channel, 'whatsapp');
  assert.equal(channels.whatsapp.sentTo(phone)[0]?.content, 'text');
});
