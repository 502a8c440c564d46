import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ChannelAdapter, Channels } from './channel.ts';

/** The adapters of the configured channels. */
export type WaysOut = Partial<Record<Channel, ChannelAdapter>>;

/**
 * Live keys use the configured providers; test keys, and everybody while there is none, the
 * sandbox.
 */
export function openChannels(
  sandbox: Readonly<Record<Channel, ChannelAdapter>>,
  providers: WaysOut,
): Channels {
  let waiting = 0;
  const counted = (adapter: ChannelAdapter): ChannelAdapter => ({
    ...adapter,
    async send(message, signal) {
      waiting += 1;
      try {
        return await adapter.send(message, signal);
      } finally {
        waiting -= 1;
      }
    },
  });
  const testing = mapValues(sandbox, counted);
  const isSandbox = Object.keys(providers).length === 0;
  const live = isSandbox ? testing : mapValues(providers, counted);
  return {
    isSandbox,
    adapter: (channel, isTest) => (isTest ? testing[channel] : live[channel]),
    waiting: () => waiting,
  };
}

function mapValues(
  adapters: WaysOut,
  change: (adapter: ChannelAdapter) => ChannelAdapter,
): WaysOut {
  return Object.fromEntries(
    Object.entries(adapters).map(([channel, adapter]) => [channel, change(adapter)]),
  );
}
