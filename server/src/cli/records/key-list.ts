import { almatyTime } from '../../almaty.ts';
import { listOwnKeys, type OwnKey } from '../../keys/key-store.ts';
import type { Command } from '../grammar/command.ts';
import { companyIdOf } from '../grammar/values.ts';
import { mustHaveCompany, readStorage } from '../with-storage.ts';

export const keyList: Command = {
  name: 'key list',
  usage: '--company ID',
  summary: {
    en: 'Shows the keys of a company, active ones first; never their secrets',
    ru: 'Показывает ключи компании, сначала действующие; без секретов',
  },
  options: { company: 'text' },
  async run({ given, env, texts }) {
    const companyId = companyIdOf(given);
    const keys = await readStorage(env, async (tools) => {
      await mustHaveCompany(tools, companyId);
      return await listOwnKeys(tools.db, companyId);
    });
    return {
      facts: { company_id: companyId, keys: keys.map(toFacts) },
      lines: keys.length === 0 ? [texts.noKeys] : keys.map((key) => texts.keyLine(toWords(key))),
    };
  },
};

function toFacts(key: OwnKey) {
  return {
    key_id: key.id,
    name: key.name,
    mode: key.isTest ? 'test' : 'live',
    shown: `${key.shownStart}…${key.shownEnd}`,
    domain: key.domain,
    channels: key.channels,
    created_at: key.createdAt.toISOString(),
    used_at: key.usedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

function toWords(key: OwnKey) {
  const { expiresAt, isExpired } = key;
  const expires = expiresAt === null ? null : almatyTime(expiresAt);
  return { ...toFacts(key), expires, is_expired: isExpired };
}

export type KeyFacts = ReturnType<typeof toFacts>;
