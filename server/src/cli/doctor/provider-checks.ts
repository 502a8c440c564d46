import { isLoopback } from '../../channels/http/provider-answer.ts';
import { openProviders } from '../../channels/open-providers.ts';
import type { Provider } from '../../channels/provider.ts';
import type { Config } from '../../config/config.ts';
import { toolsWithoutContacts } from '../channels/provider-tools.ts';
import { type Check, passed, warned } from './check.ts';
import type { DoctorTexts } from './doctor-texts.ts';

const CHECK_TIMEOUT_MS = 8_000;

/** Asks every configured provider whether it would accept a message, without sending one. */
export async function checkProviders(config: Config, texts: DoctorTexts): Promise<Check[]> {
  const providers = openProviders(config.providers, toolsWithoutContacts(config));
  if (providers.length === 0) return [passed('channels', texts.sandbox)];
  try {
    const checks = await Promise.all(providers.map(checkOne));
    return [...checks, ...checkCallbacks(config, providers, texts)];
  } finally {
    await Promise.all(providers.map((provider) => provider.stop?.()));
  }
}

async function checkOne(provider: Provider): Promise<Check> {
  const check = await provider.check(AbortSignal.timeout(CHECK_TIMEOUT_MS));
  return { name: 'channels', ...check, detail: `${provider.name}: ${check.detail}` };
}

/** External providers send callbacks only over HTTPS; one on this machine does not need it. */
function checkCallbacks(
  { publicUrl, providers: configs }: Config,
  providers: readonly Provider[],
  texts: DoctorTexts,
): Check[] {
  if (publicUrl?.startsWith('https:') === true) return [];
  const reporting = configs.filter(({ provider, values }) => {
    const { readCallback } = providers.find(({ name }) => name === provider) ?? {};
    return readCallback !== undefined && !isLoopback(values.url ?? '');
  });
  if (reporting.length === 0) return [];
  const names = reporting.map(({ provider }) => provider).join(', ');
  return [warned('callbacks', texts.noCallbacks(names))];
}
