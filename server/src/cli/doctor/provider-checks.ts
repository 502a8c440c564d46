import { openProviders } from '../../channels/open-providers.ts';
import type { Provider } from '../../channels/provider.ts';
import type { Config } from '../../config/config.ts';
import { toolsWithoutContacts } from '../channels/provider-tools.ts';
import { type Check, passed } from './check.ts';
import type { DoctorTexts } from './doctor-texts.ts';

const CHECK_LIMIT_MS = 8_000;

/** Asks every configured provider whether it would take a message, without giving it one. */
export async function checkProviders(config: Config, texts: DoctorTexts): Promise<Check[]> {
  const providers = openProviders(config.providers, toolsWithoutContacts(config));
  if (providers.length === 0) return [passed('channels', texts.sandbox)];
  try {
    return await Promise.all(providers.map(checkOne));
  } finally {
    await Promise.all(providers.map((provider) => provider.stop?.()));
  }
}

async function checkOne(provider: Provider): Promise<Check> {
  const { ok, detail } = await provider.check(AbortSignal.timeout(CHECK_LIMIT_MS));
  return { name: 'channels', ok, detail: `${provider.name}: ${detail}` };
}
