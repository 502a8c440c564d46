import type { BlockSetting } from './block-setting.ts';
import { Wrong } from './values.ts';

export type Given = (name: string) => string | undefined;
export type BlockValues = Readonly<Record<string, string>>;

/** A block is configured as soon as one of its settings is set. */
export function isConfigured(settings: readonly BlockSetting[], given: Given): boolean {
  return settings.some(({ name }) => given(name) !== undefined);
}

/** The values of a block by their names in the adapter. What is missing or wrong is added to the problems. */
export function readBlock(
  block: { name: string; settings: readonly BlockSetting[] },
  given: Given,
  problems: string[],
): BlockValues {
  const values: Record<string, string> = {};
  for (const { name, field, isRequired, check, default: defaultValue } of block.settings) {
    const text = given(name);
    if (text === undefined && isRequired) {
      problems.push(`${name}: should be set, because ${block.name} needs it`);
    }
    const checked = text === undefined ? undefined : check?.(text);
    if (checked instanceof Wrong) problems.push(`${name}: ${checked.because}`);
    const value = typeof checked === 'string' ? checked : (text ?? defaultValue);
    if (value !== undefined) values[field] = value;
  }
  return values;
}
