import type { ProviderTools } from '../../channels/open-providers.ts';
import { systemClock } from '../../clock.ts';
import { type Config, shortLinkBaseOf } from '../../config/config.ts';
import { createLog } from '../../log.ts';

/** For commands that send no messages: no contacts are known. */
export function toolsWithoutContacts(config: Config): ProviderTools {
  const { publicUrl } = config;
  return {
    clock: systemClock,
    log: createLog('silent', { sync: true }),
    shortLinkBase: () =>
      publicUrl === undefined ? config.shortLinkBase : shortLinkBaseOf(config, publicUrl),
    callbackUrl: (provider) => `${publicUrl ?? 'http://localhost'}/callbacks/${provider}`,
    findTelegramChat: async () => undefined,
    isWhatsappWindowOpen: async () => false,
    onContact: () => undefined,
  };
}
