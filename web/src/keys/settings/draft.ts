import type { Key, KeySettings } from '@zhiber/contract/cabinet/keys.ts';

/** The settings as form values: all but the channels and the language are plain text. */
export type Draft = {
  [Field in keyof KeySettings]: Field extends 'channels' | 'language' ? KeySettings[Field] : string;
};
export type DraftField = keyof Draft;

/** In the order of the form. */
const FIELDS = [
  'name',
  'domain',
  'channels',
  'fallback_seconds',
  'code_length',
  'code_ttl_seconds',
  'language',
  'brand',
  'rate_per_minute',
  'daily_cap',
  'monthly_cap',
  'expires_at',
] as const satisfies readonly DraftField[];

export function draftOf(key: Key): Draft {
  return {
    name: key.name,
    domain: key.domain ?? '',
    channels: key.channels,
    code_length: String(key.code_length),
    code_ttl_seconds: String(key.code_ttl_seconds),
    fallback_seconds: String(key.fallback_seconds),
    language: key.language,
    brand: key.brand ?? '',
    rate_per_minute: key.rate_per_minute === null ? '' : String(key.rate_per_minute),
    daily_cap: key.daily_cap === null ? '' : String(key.daily_cap),
    monthly_cap: key.monthly_cap === null ? '' : String(key.monthly_cap),
    expires_at: key.expires_at ?? '',
  };
}

/** The settings to submit; an empty optional field becomes null. */
export function settingsOf(draft: Draft): KeySettings {
  const orNull = (text: string) => text.trim() || null;
  const numberOrNull = (text: string) => (text.trim() === '' ? null : Number(text));
  return {
    name: draft.name.trim(),
    domain: orNull(draft.domain),
    channels: draft.channels,
    code_length: Number(draft.code_length),
    code_ttl_seconds: Number(draft.code_ttl_seconds),
    fallback_seconds: Number(draft.fallback_seconds),
    language: draft.language,
    brand: orNull(draft.brand),
    rate_per_minute: numberOrNull(draft.rate_per_minute),
    daily_cap: numberOrNull(draft.daily_cap),
    monthly_cap: numberOrNull(draft.monthly_cap),
    expires_at: orNull(draft.expires_at),
  };
}

/** The fields that differ, ignoring surrounding spaces. */
export function changedFields(before: Draft, after: Draft): DraftField[] {
  return FIELDS.filter((field) => String(before[field]).trim() !== String(after[field]).trim());
}
