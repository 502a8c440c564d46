import { ALL_SETTINGS, describeSettings } from '../../config/config.ts';
import { PROVIDER_BLOCKS } from '../../config/provider-settings.ts';
import type { Env } from '../grammar/language.ts';

/**
 * Every setting with its value and source, without those of providers that are not used. Of a
 * secret only the length is told.
 */
export function listSettings(env: Env) {
  const secrets = new Set(ALL_SETTINGS.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  const unused = new Set(
    PROVIDER_BLOCKS.filter(
      ({ settings }) => !settings.some(({ name }) => env[name]?.trim()),
    ).flatMap(({ settings }) => settings.map(({ name }) => name)),
  );
  return describeSettings(env)
    .filter(({ name }) => !unused.has(name))
    .map(({ name, value, source }) => {
      const isHidden = secrets.has(name) && value !== undefined;
      return { name, value: isHidden ? hidden(env[name] ?? '') : (value ?? null), source };
    });
}

function hidden(text: string): string {
  return `•••• (${text.trim().length} chars)`;
}
