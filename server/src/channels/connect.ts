import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Logger } from 'pino';
import type { ProviderConfig } from '../config/read-providers.ts';
import { withCircuitBreaker } from './circuit-breaker.ts';
import { type CombineTools, combineProviders, type ProviderIds } from './combine-providers.ts';
import { type HolderTools, withHolder } from './holder/held-provider.ts';
import type { AdaptersByChannel } from './open-channels.ts';
import { openProviders, type ProviderTools } from './open-providers.ts';
import type { Provider } from './provider.ts';
import type { ProviderMetrics } from './provider-metrics.ts';
import { qualifiedId } from './qualified-id.ts';

export type Connected = {
  /** All configured providers, for callbacks, checks and metrics. */
  providers: readonly Provider[];
  channels: AdaptersByChannel;
  close(): Promise<void>;
};

/** Opens the configured providers, each behind a circuit breaker, and one adapter per channel. */
export function connectProviders(
  configs: readonly ProviderConfig[],
  tools: ProviderTools &
    Omit<CombineTools, 'log'> & { log: Logger; metrics: ProviderMetrics; holder?: HolderTools },
): Connected {
  const onLateIds = (provider: string, { providerIds, ...late }: ProviderIds) => {
    const ids = providerIds.map((id) => qualifiedId(provider, id));
    tools.storeProviderIds({ ...late, providerIds: ids }).catch((error: unknown) => {
      const fields = { err: error, message_id: late.ref.messageId };
      tools.log.error(fields, 'a late provider id was not saved');
    });
  };
  const { holder } = tools;
  const providers = openProviders(configs, { ...tools, onLateIds })
    .map((provider) =>
      provider.isHeldByOneNode && holder !== undefined
        ? withHolder(provider, holder, onLateIds)
        : provider,
    )
    .map((provider) => withCircuitBreaker(provider, tools));
  const channels = CHANNELS.flatMap((channel) => {
    const matching = providers.filter((provider) => provider.channel === channel);
    return matching.length === 0 ? [] : [[channel, combineProviders(matching, tools)] as const];
  });
  return {
    providers,
    channels: Object.fromEntries(channels),
    async close() {
      await Promise.all(providers.map((provider) => provider.stop?.()));
    },
  };
}
