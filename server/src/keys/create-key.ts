import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import {
  CODE_LENGTH_DEFAULT,
  CODE_TTL_SECONDS_DEFAULT,
  FALLBACK_SECONDS_DEFAULT,
} from '@zhiber/contract/api/limits.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, KeyId, PersonId } from '../ids.ts';
import type { MessageLanguage } from './api-key.ts';
import { insertKey } from './key-store.ts';
import { hashOfKey, newKeyText, shownParts } from './key-text.ts';

export type KeySettings = {
  companyId: CompanyId;
  name: string;
  isTest: boolean;
  /** In punycode, lower case (see readDomain). */
  domain?: string | undefined;
  channels?: readonly Channel[] | undefined;
  codeLength?: number | undefined;
  codeTtlSeconds?: number | undefined;
  fallbackSeconds?: number | undefined;
  language?: MessageLanguage | undefined;
  brand?: string | undefined;
  ratePerMinute?: number | undefined;
  createdBy?: PersonId | undefined;
};

/** Creates a key. Its text is returned this once; only a hash of it is kept. */
export async function createKey(
  sql: Sql,
  settings: KeySettings,
): Promise<{ keyId: KeyId; key: string }> {
  const key = newKeyText(settings.isTest);
  const keyId = await insertKey(sql, {
    companyId: settings.companyId,
    name: settings.name,
    isTest: settings.isTest,
    secretHash: hashOfKey(key),
    ...shownParts(key),
    domain: settings.domain ?? null,
    channels: settings.channels ?? CHANNELS,
    codeLength: settings.codeLength ?? CODE_LENGTH_DEFAULT,
    codeTtlSeconds: settings.codeTtlSeconds ?? CODE_TTL_SECONDS_DEFAULT,
    fallbackSeconds: settings.fallbackSeconds ?? FALLBACK_SECONDS_DEFAULT,
    language: settings.language ?? 'ru',
    brand: settings.brand ?? null,
    ratePerMinute: settings.ratePerMinute ?? null,
    createdBy: settings.createdBy ?? null,
  });
  return { keyId, key };
}
