import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import {
  BRAND_LENGTH_MAX,
  CODE_LENGTH_MAX,
  CODE_LENGTH_MIN,
  CODE_TTL_SECONDS_MAX,
  CODE_TTL_SECONDS_MIN,
  FALLBACK_SECONDS_MAX,
  FALLBACK_SECONDS_MIN,
  KEY_CAP_MAX,
  KEY_EXPIRY_DAYS_MAX,
} from '@zhiber/contract/api/limits.ts';
import type { MessageLanguage } from '@zhiber/contract/message/message-text.ts';
import { addKey, type KeySettings } from '../../keys/manage-keys.ts';
import { readDomain } from '../../keys/origin.ts';
import type { Given } from '../grammar/command.ts';
import { type Command, UsageError } from '../grammar/command.ts';
import {
  companyIdOf,
  oneOf,
  optionalName,
  optionalNumber,
  requiredName,
} from '../grammar/values.ts';
import { mustHaveCompany, withStorage } from '../with-storage.ts';

const KEY_NAME_LENGTH_MAX = 200;
const CODE_LENGTH = { min: CODE_LENGTH_MIN, max: CODE_LENGTH_MAX };
const CODE_TTL = { min: CODE_TTL_SECONDS_MIN, max: CODE_TTL_SECONDS_MAX };
const FALLBACK = { min: FALLBACK_SECONDS_MIN, max: FALLBACK_SECONDS_MAX };
const LANGUAGES: readonly MessageLanguage[] = ['ru', 'kk', 'both'];
const RATE = { min: 1, max: 1_000_000 };
const CAP = { min: 1, max: KEY_CAP_MAX };
const EXPIRY_DAYS = { min: 1, max: KEY_EXPIRY_DAYS_MAX };
const DAY_MS = 86_400_000;

const CAP_OPTIONS = ['monthly-cap', 'daily-cap'];

export const keyCreate: Command = {
  name: 'key create',
  usage:
    '--company ID --name NAME [--test] [--domain D] [--channels a,b] [--code-length N] ' +
    '[--code-ttl S] [--fallback S] [--language ru|kk|both] [--brand B] [--rate N] ' +
    '[--monthly-cap N] [--daily-cap N] [--expires-in-days N]',
  summary: {
    en: 'Creates an API key and shows it once',
    ru: 'Создаёт ключ API, показывает один раз',
  },
  options: {
    company: 'text',
    name: 'text',
    test: 'switch',
    domain: 'text',
    channels: 'text',
    'code-length': 'text',
    'code-ttl': 'text',
    fallback: 'text',
    language: 'text',
    brand: 'text',
    rate: 'text',
    'monthly-cap': 'text',
    'daily-cap': 'text',
    'expires-in-days': 'text',
  },
  async run({ given, env, texts }) {
    const settings = parseSettings(given);
    const days = optionalNumber(given, 'expires-in-days', EXPIRY_DAYS);
    const { keyId, key, expiresAt } = await withStorage(env, async (tools) => {
      await mustHaveCompany(tools, settings.companyId);
      // The audit log records no person for a change from the command line.
      const now = tools.clock.now().getTime();
      const expiresAt = days === undefined ? undefined : new Date(now + days * DAY_MS);
      return { ...(await addKey(tools, {}, { ...settings, expiresAt })), expiresAt };
    });
    return {
      facts: { key_id: keyId, key, expires_at: expiresAt?.toISOString() ?? null },
      lines: [texts.keyCreated(keyId, settings.companyId), `  ${key}`],
    };
  },
};

function parseSettings(given: Given): KeySettings {
  const language = given.text('language');
  if (given.isOn('test') && CAP_OPTIONS.some((option) => given.text(option) !== undefined)) {
    throw new UsageError((texts) => texts.testKeyHasNoCap);
  }
  return {
    companyId: companyIdOf(given),
    name: requiredName(given, 'name', KEY_NAME_LENGTH_MAX),
    isTest: given.isOn('test'),
    domain: parseDomain(given.text('domain')),
    channels: parseChannels(given.text('channels')),
    codeLength: optionalNumber(given, 'code-length', CODE_LENGTH),
    codeTtlSeconds: optionalNumber(given, 'code-ttl', CODE_TTL),
    fallbackSeconds: optionalNumber(given, 'fallback', FALLBACK),
    language: language === undefined ? undefined : oneOf('--language', language, LANGUAGES),
    brand: optionalName(given, 'brand', BRAND_LENGTH_MAX),
    ratePerMinute: optionalNumber(given, 'rate', RATE),
    monthlyCap: optionalNumber(given, 'monthly-cap', CAP),
    dailyCap: optionalNumber(given, 'daily-cap', CAP),
  };
}

function parseDomain(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const domain = readDomain(text);
  if (domain === undefined) throw new UsageError((texts) => texts.badDomain(text));
  return domain;
}

/** Keeps the order, in which `auto` tries the channels. */
function parseChannels(text: string | undefined): Channel[] | undefined {
  if (text === undefined) return undefined;
  const channels = text.split(',').map((item) => oneOf('--channels', item.trim(), CHANNELS));
  const repeated = channels.find((channel, at) => channels.indexOf(channel) !== at);
  if (repeated !== undefined) {
    throw new UsageError((texts) => texts.twice('--channels', repeated));
  }
  return channels;
}
