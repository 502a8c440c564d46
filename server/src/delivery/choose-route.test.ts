import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import fc from 'fast-check';
import type { ChannelAdapter, Channels, ContentKind } from '../channels/channel.ts';
import type { Phone } from '../phone.ts';
import { chooseBroadcastRoute, chooseRoute, type RouteRequest } from './choose-route.ts';

type Carried = Partial<Record<Channel, readonly ContentKind[]>>;

function channelsThat(carry: Carried): Channels {
  const adapters = Object.fromEntries(
    Object.entries(carry).map(([name, loads]) => [
      name,
      { name, carries: new Set(loads), send: () => Promise.reject(new Error('not asked')) },
    ]),
  ) as Partial<Record<Channel, ChannelAdapter>>;
  return {
    isSandbox: false,
    adapter: (channel) => adapters[channel],
    waiting: () => 0,
    takeUrgentCount: () => 0,
  };
}

const ALL: ContentKind[] = ['code', 'code_with_link', 'text', 'group'];
const request = (changes: Partial<RouteRequest> = {}): RouteRequest => ({
  choice: 'auto',
  recipientIn: () => ({ phone: '77011234567' as Phone }),
  content: 'code',
  smsRefusal: undefined,
  smsParts: 1,
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

test('an SMS costs its price for each part that is charged, and no other channel does', () => {
  assert.deepEqual(chooseRoute(request({ smsParts: 2, enabled: ['sms', 'whatsapp'] })), [
    { channel: 'sms', price: 16 },
    { channel: 'whatsapp', price: 3 },
  ]);
  assert.deepEqual(chooseRoute(request({ smsParts: 2, choice: 'sms', isTest: true })), [
    { channel: 'sms', price: 0 },
  ]);
});

test('an explicit channel is the whole route', () => {
  assert.deepEqual(chooseRoute(request({ choice: 'telegram' })), [
    { channel: 'telegram', price: 3 },
  ]);
});

test('an explicit channel is refused with the first error: disabled, not connected, phone, content kind', () => {
  const smsRefusal = 'country_not_supported';
  refused('channel_disabled', { choice: 'sms', enabled: ['whatsapp'], channels: channelsThat({}) });
  refused('channel_not_connected', { choice: 'sms', smsRefusal, channels: channelsThat({}) });
  refused(smsRefusal, { choice: 'sms', smsRefusal, channels: channelsThat({ sms: ['text'] }) });
  refused('invalid_phone', { choice: 'sms', smsRefusal: 'invalid_phone' });
  refused('channel_unsuitable', { choice: 'sms', channels: channelsThat({ sms: ['text'] }) });
});

test('auto without any usable channel is refused', () => {
  refused('no_channel_available', { enabled: [] });
  refused('no_channel_available', { enabled: ['sms'], smsRefusal: 'invalid_phone' });
  refused('no_channel_available', { channels: channelsThat({ whatsapp: ['text'] }) });
});

test('test keys pay nothing, and groups have a price of their own', () => {
  assert.deepEqual(chooseRoute(request({ choice: 'sms', isTest: true })), [
    { channel: 'sms', price: 0 },
  ]);
  const prices = { whatsapp: 3, telegram: 3, sms: 8, group: 1 };
  assert.deepEqual(chooseRoute(request({ choice: 'telegram', content: 'group', prices })), [
    { channel: 'telegram', price: 1 },
  ]);
});

const loads = fc.subarray(ALL);
const requests = fc.record({
  enabled: fc.shuffledSubarray([...CHANNELS]),
  content: fc.constantFrom(...ALL),
  smsRefusal: fc.constantFrom(
    undefined,
    'country_not_supported' as const,
    'invalid_phone' as const,
  ),
  isTest: fc.boolean(),
  carried: fc.record({ whatsapp: loads, telegram: loads, sms: loads }, { requiredKeys: [] }),
});

test('a channel that does not know the recipient is left out, or refused when it was chosen', () => {
  const recipientIn = (channel: Channel) =>
    channel === 'telegram' ? { group: '-1001' } : undefined;
  assert.deepEqual(chooseRoute(request({ recipientIn, content: 'group' })), [
    { channel: 'telegram', price: 0 },
  ]);
  refused('channel_unsuitable', { recipientIn, content: 'group', choice: 'whatsapp' });
  refused('no_channel_available', { recipientIn: () => undefined });
});

test('every chosen channel is enabled, carries the content, reaches the country and comes once', () => {
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
          (channel !== 'sms' || rest.smsRefusal === undefined) &&
          (carried[channel] ?? []).includes(rest.content),
      );
      assert.deepEqual(
        route.map((stop) => stop.channel),
        usable,
      );
    }),
    { numRuns: 1_000 },
  );
});

describe('the route of a broadcast', () => {
  const carriers: Carried = { whatsapp: ['broadcast'], telegram: ['text'], sms: ['broadcast'] };
  const route = (changes: Partial<Parameters<typeof chooseBroadcastRoute>[0]> = {}) =>
    chooseBroadcastRoute({
      wanted: ['sms', 'telegram', 'whatsapp'],
      smsRefusal: undefined,
      isTest: false,
      channels: channelsThat(carriers),
      prices: { whatsapp: 3, telegram: 3, sms: 8, group: 0 },
      ...changes,
    });
  const SMS = { channel: 'sms', price: 8 };
  const WHATSAPP = { channel: 'whatsapp', price: 3 };

  test('has its channels in their order, without those that cannot carry it', () => {
    assert.deepEqual(route(), [SMS, WHATSAPP]);
    assert.deepEqual(route({ wanted: ['whatsapp', 'sms'] }), [WHATSAPP, SMS]);
    assert.deepEqual(route({ wanted: ['sms'] }), [SMS]);
  });

  test('has no SMS to numbers that get none', () => {
    for (const smsRefusal of ['country_not_supported', 'invalid_phone'] as const) {
      assert.deepEqual(route({ smsRefusal }), [WHATSAPP]);
    }
  });

  test('is empty when no channel is left', () => {
    assert.deepEqual(route({ wanted: ['telegram'] }), []);
    assert.deepEqual(route({ channels: channelsThat({}) }), []);
    assert.deepEqual(route({ wanted: ['sms'], smsRefusal: 'invalid_phone' }), []);
  });

  test('costs nothing with a test key', () => {
    assert.deepEqual(route({ isTest: true, wanted: ['sms'] }), [{ channel: 'sms', price: 0 }]);
  });
});
