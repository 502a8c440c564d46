import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import fc from 'fast-check';
import type { ChannelAdapter, Channels, Load } from '../channels/channel.ts';
import { chooseRoute, type RouteRequest } from './choose-route.ts';

type Carried = Partial<Record<Channel, readonly Load[]>>;

function channelsThat(carry: Carried): Channels {
  const adapters = Object.fromEntries(
    Object.entries(carry).map(([name, loads]) => [
      name,
      { name, carries: new Set(loads), send: () => Promise.reject(new Error('not asked')) },
    ]),
  ) as Partial<Record<Channel, ChannelAdapter>>;
  return { isSandbox: false, adapter: (channel) => adapters[channel], waiting: () => 0 };
}

const ALL: Load[] = ['code', 'code_with_link', 'text', 'group'];
const request = (changes: Partial<RouteRequest> = {}): RouteRequest => ({
  choice: 'auto',
  load: 'code',
  canSms: true,
  isTest: false,
  enabled: CHANNELS,
  channels: channelsThat({ whatsapp: ALL, telegram: ALL, sms: ALL }),
  prices: { whatsapp: 3, telegram: 3, sms: 8, group: 0 },
  ...changes,
});
const refused = (code: string, changes: Partial<RouteRequest>) =>
  assert.throws(() => chooseRoute(request(changes)), { code });

test('auto takes the channels of the key in their order, each with its price', () => {
  assert.deepEqual(chooseRoute(request({ enabled: ['sms', 'whatsapp'] })), [
    { channel: 'sms', price: 8 },
    { channel: 'whatsapp', price: 3 },
  ]);
});

test('an explicit channel is its own whole route', () => {
  assert.deepEqual(chooseRoute(request({ choice: 'telegram' })), [
    { channel: 'telegram', price: 3 },
  ]);
});

test('an explicit channel is refused by its first fault: disabled, country, load', () => {
  refused('channel_disabled', { choice: 'sms', enabled: ['whatsapp'], canSms: false });
  refused('country_not_supported', { choice: 'sms', canSms: false, channels: channelsThat({}) });
  refused('channel_unsuitable', { choice: 'sms', channels: channelsThat({ sms: ['text'] }) });
  refused('channel_unsuitable', { choice: 'whatsapp', channels: channelsThat({}) });
});

test('auto with nothing left has no channel', () => {
  refused('no_channel_available', { enabled: [] });
  refused('no_channel_available', { enabled: ['sms'], canSms: false });
  refused('no_channel_available', { channels: channelsThat({ whatsapp: ['text'] }) });
});

test('test keys pay nothing, and groups have a price of their own', () => {
  assert.deepEqual(chooseRoute(request({ choice: 'sms', isTest: true })), [
    { channel: 'sms', price: 0 },
  ]);
  const prices = { whatsapp: 3, telegram: 3, sms: 8, group: 1 };
  assert.deepEqual(chooseRoute(request({ choice: 'telegram', load: 'group', prices })), [
    { channel: 'telegram', price: 1 },
  ]);
});

const loads = fc.subarray(ALL);
const requests = fc.record({
  enabled: fc.shuffledSubarray([...CHANNELS]),
  load: fc.constantFrom(...ALL),
  canSms: fc.boolean(),
  isTest: fc.boolean(),
  carried: fc.record({ whatsapp: loads, telegram: loads, sms: loads }, { requiredKeys: [] }),
});

test('whatever is chosen is enabled, can carry the load, reaches the country and comes once', () => {
  fc.assert(
    fc.property(requests, ({ carried, ...rest }) => {
      let route: ReturnType<typeof chooseRoute>;
      try {
        route = chooseRoute(request({ ...rest, channels: channelsThat(carried as Carried) }));
      } catch (error) {
        assert.equal((error as { code: string }).code, 'no_channel_available');
        route = [];
      }
      const usable = rest.enabled.filter(
        (channel) =>
          (channel !== 'sms' || rest.canSms) && (carried[channel] ?? []).includes(rest.load),
      );
      assert.deepEqual(
        route.map((stop) => stop.channel),
        usable,
      );
    }),
    { numRuns: 1_000 },
  );
});
