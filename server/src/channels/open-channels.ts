import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ChannelAdapter, Channels, Outcome } from './channel.ts';

/** The adapters of the configured channels. */
export type AdaptersByChannel = Partial<Record<Channel, ChannelAdapter>>;

/**
 * Test keys use the sandbox. Live keys use the configured providers, or the sandbox while none is
 * configured.
 */
export function openChannels(
  sandbox: Readonly<Record<Channel, ChannelAdapter>>,
  providers: AdaptersByChannel,
  /** Hears what came of every message of a live key. */
  onOutcome: (channel: Channel, outcome: Outcome) => void = () => undefined,
): Channels {
  let waiting = 0;
  const urgent: Record<Channel, number> = { whatsapp: 0, telegram: 0, sms: 0 };
  const withCounters = (adapter: ChannelAdapter, live: Channel | undefined): ChannelAdapter => ({
    ...adapter,
    get carries() {
      return adapter.carries;
    },
    get ratePerSecond() {
      return adapter.ratePerSecond;
    },
    async send(message, signal) {
      waiting += 1;
      if (live !== undefined && !message.isBulk) urgent[live] += 1;
      try {
        const outcome = await adapter.send(message, signal);
        if (live !== undefined && !message.isTest) onOutcome(live, outcome);
        return outcome;
      } finally {
        waiting -= 1;
      }
    },
  });
  const isSandbox = Object.keys(providers).length === 0;
  const testAdapters = mapValues(sandbox, (adapter, channel) =>
    withCounters(adapter, isSandbox ? channel : undefined),
  );
  const liveAdapters = isSandbox ? testAdapters : mapValues(providers, withCounters);
  return {
    isSandbox,
    adapter: (channel, isTest) => (isTest ? testAdapters[channel] : liveAdapters[channel]),
    waiting: () => waiting,
    takeUrgentCount(channel) {
      const count = urgent[channel];
      urgent[channel] = 0;
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
