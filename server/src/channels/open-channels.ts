import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ChannelAdapter, Channels } from './channel.ts';

/** The configured ways out, by channel. */
export type Providers = Partial<Record<Channel, ChannelAdapter>>;

/**
 * Live keys use the configured providers; test keys, and everybody while there is none, the
 * sandbox.
 */
export function openChannels(
  sandbox: Readonly<Record<Channel, ChannelAdapter>>,
  providers: Providers,
): Channels {
  const isSandbox = Object.keys(providers).length === 0;
  return {
    isSandbox,
    adapter: (channel, isTest) => (isSandbox || isTest ? sandbox[channel] : providers[channel]),
  };
}
