import { describeSettings, SETTINGS } from '../../config.ts';
import type { Env } from '../grammar/language.ts';

/** Every setting with its value and source. Of a secret only the length is told. */
export function listSettings(env: Env) {
  const secrets = new Set(SETTINGS.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  return describeSettings(env).map(({ name, value, source }) => {
    const isHidden = secrets.has(name) && value !== undefined;
    return { name, value: isHidden ? hidden(env[name] ?? '') : (value ?? null), source };
  });
}

function hidden(text: string): string {
  return `•••• (${text.trim().length} chars)`;
}
