import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ChannelAdapter, Channels } from './channel.ts';

/** The adapters of the configured channels. */
export type AdaptersByChannel = Partial<Record<Channel, ChannelAdapter>>;

/**
 * Test keys use the sandbox. Live keys use the configured providers, or the sandbox while none is
 * configured.
 */
export function openChannels(
  sandbox: Readonly<Record<Channel, ChannelAdapter>>,
  providers: AdaptersByChannel,
): Channels {
  let waiting = 0;
  const urgent = new Map<Channel, number>();
  const withCounter = (adapter: ChannelAdapter, channel: Channel): ChannelAdapter => ({
    ...adapter,
    async send(message, signal) {
      waiting += 1;
      if (!message.isBulk) urgent.set(channel, (urgent.get(channel) ?? 0) + 1);
      try {
        return await adapter.send(message, signal);
      } finally {
        waiting -= 1;
      }
    },
  });
  const testAdapters = mapValues(sandbox, withCounter);
  const isSandbox = Object.keys(providers).length === 0;
  const liveAdapters = isSandbox ? testAdapters : mapValues(providers, withCounter);
  return {
    isSandbox,
    adapter: (channel, isTest) => (isTest ? testAdapters[channel] : liveAdapters[channel]),
    waiting: () => waiting,
    takeUrgentCount(channel) {
      const count = urgent.get(channel) ?? 0;
      urgent.delete(channel);
      return count;
    },
  };
}

function mapValues(
  adapters: AdaptersByChannel,
  change: (adapter: ChannelAdapter, channel: Channel) => ChannelAdapter,
): AdaptersByChannel {
  return Object.fromEntries(
    Object.entries(adapters).map(([channel, adapter]) => [
      channel,
      change(adapter, channel as Channel),
    ]),
  );
}
