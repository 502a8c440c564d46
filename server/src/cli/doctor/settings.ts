import { describeSettings } from '../../config/config.ts';
import { accountsOf, PROVIDER_BLOCKS } from '../../config/provider-settings.ts';
import type { Env } from '../grammar/language.ts';

/** Every setting with its value and source, without those of providers that are not used. */
export function listSettings(env: Env) {
  const unused = new Set(
    PROVIDER_BLOCKS.flatMap(accountsOf)
      .filter(({ settings }) => !settings.some(({ name }) => env[name]?.trim()))
      .flatMap(({ settings }) => settings.map(({ name }) => name)),
  );
  return describeSettings(env)
    .filter(({ name }) => !unused.has(name))
    .map(({ value, ...setting }) => ({ ...setting, value: value ?? null }));
}
