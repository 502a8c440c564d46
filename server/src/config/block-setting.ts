import type { Setting } from './settings.ts';
import { type Wrong, webAddress } from './values.ts';

/** A setting of a provider; `field` is its name in the adapter. */
export type BlockSetting = Setting & { field: string; isRequired?: true; check?: Check };

/** The value, or the reason why it is wrong; a secret is not repeated in the reason. */
type Check = (text: string) => unknown | Wrong;

export function optional(
  name: string,
  field: string,
  sentence: string,
  value?: string,
): BlockSetting {
  return { name, field, sentence, ...(value !== undefined && { default: value }) };
}

export function address(name: string, sentence: string, value: string): BlockSetting {
  return { ...optional(name, 'url', sentence, value), check: webAddress };
}

export function required(name: string, field: string, sentence: string): BlockSetting {
  return { name, field, sentence, isRequired: true };
}

export function hidden(name: string, field: string, sentence: string): BlockSetting {
  return { name, field, sentence, isSecret: true };
}

export function secret(name: string, field: string, sentence: string): BlockSetting {
  return { name, field, sentence, isSecret: true, isRequired: true };
}
