import type { ProviderTools } from '../../channels/open-providers.ts';
import { systemClock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';

/** For commands that need no message to find its way: nobody is known to the messengers. */
export function toolsWithoutContacts(config: Config): ProviderTools {
  return {
    clock: systemClock,
    callbackUrl: (provider) => `${config.publicUrl ?? 'http://localhost'}/callbacks/${provider}`,
    findTelegramChat: async () => undefined,
    isWhatsappWindowOpen: async () => false,
    onContact: () => undefined,
  };
}
