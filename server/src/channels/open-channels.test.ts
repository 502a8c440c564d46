import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { type CompanyId, newId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import type { ChannelAdapter, ContentKind, OutgoingMessage } from './channel.ts';
import { openChannels } from './open-channels.ts';

const never = new AbortController().signal;
const message: OutgoingMessage = {
  ref: { companyId: 1 as CompanyId, messageId: newId(1), attempt: 1 },
  keyId: 1,
  isTest: false,
  to: { phone: '77010000001' as Phone },
  content: 'code',
  language: 'ru',
  text: 'Код 123456',
};

function adapter(changes: Partial<ChannelAdapter> = {}): ChannelAdapter {
  return {
    name: 'test',
    carries: new Set<ContentKind>(['code']),
    send: async () => ({ result: 'accepted', providerId: '7' }),
    ...changes,
  };
}

const SANDBOX = { whatsapp: adapter(), telegram: adapter(), sms: adapter() };

test('messages that somebody waits for are counted by channel, until the count is taken', async () => {
  const channels = openChannels(SANDBOX, { sms: adapter(), telegram: adapter() });
  const send = (channel: Channel, changes: Partial<OutgoingMessage> = {}, isTest = false) =>
    channels.adapter(channel, isTest)?.send({ ...message, ...changes }, never);
  await send('sms');
  await send('sms');
  await send('sms', { isBulk: true });
  await send('telegram');
  await send('sms', { isTest: true }, true);
  assert.equal(channels.takeUrgentCount('sms'), 2);
  assert.equal(channels.takeUrgentCount('sms'), 0);
  assert.equal(channels.takeUrgentCount('telegram'), 1);
  assert.equal(channels.takeUrgentCount('whatsapp'), 0);
});

test('in a sandbox its own channels are counted', async () => {
  const channels = openChannels(SANDBOX, {});
  await channels.adapter('sms', false)?.send(message, never);
  assert.equal(channels.takeUrgentCount('sms'), 1);
});

test('what a channel carries, and its rate, may change', () => {
  let carries: ReadonlySet<ContentKind> = new Set(['code']);
  const whatsapp: ChannelAdapter = {
    ...adapter(),
    get carries() {
      return carries;
    },
    get ratePerSecond() {
      return carries.has('broadcast') ? 80 : undefined;
    },
  };
  const opened = openChannels(SANDBOX, { whatsapp }).adapter('whatsapp', false);
  assert.deepEqual([opened?.carries.has('broadcast'), opened?.ratePerSecond], [false, undefined]);
  carries = new Set(['code', 'broadcast']);
  assert.deepEqual([opened?.carries.has('broadcast'), opened?.ratePerSecond], [true, 80]);
});
