import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Logger } from 'pino';
import type { ProviderConfig } from '../config/read-providers.ts';
import type { Figures } from './figures.ts';
import { type InOrderTools, inOrder } from './in-order.ts';
import type { WaysOut } from './open-channels.ts';
import { openProviders, type ProviderTools } from './open-providers.ts';
import { protect } from './protect.ts';
import type { Provider } from './provider.ts';

export type Connected = {
  /** Every configured one, for callbacks, checks and figures. */
  providers: readonly Provider[];
  /** The ways out by channel. */
  channels: WaysOut;
  close(): Promise<void>;
};

/** The configured providers, protected, each channel's behind one door. */
export function connectProviders(
  configs: readonly ProviderConfig[],
  tools: ProviderTools & Pick<InOrderTools, 'remember'> & { log: Logger; figures: Figures },
): Connected {
  const providers = openProviders(configs, tools).map((one) => protect(one, tools));
  const channels = CHANNELS.flatMap((channel) => {
    const own = providers.filter((provider) => provider.channel === channel);
    return own.length === 0 ? [] : [[channel, inOrder(own, tools)] as const];
  });
  return {
    providers,
    channels: Object.fromEntries(channels),
    async close() {
      await Promise.all(providers.map((provider) => provider.stop?.()));
    },
  };
}
