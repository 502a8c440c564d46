import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import {
  BRAND_LENGTH_MAX,
  CODE_LENGTH_MAX,
  CODE_LENGTH_MIN,
  CODE_TTL_SECONDS_MAX,
  CODE_TTL_SECONDS_MIN,
  FALLBACK_SECONDS_MAX,
  FALLBACK_SECONDS_MIN,
} from '@zhiber/contract/api/limits.ts';
import type { MessageLanguage } from '../../keys/api-key.ts';
import type { KeySettings } from '../../keys/create-key.ts';
import { addKey } from '../../keys/manage-keys.ts';
import { readDomain } from '../../keys/origin.ts';
import type { Given } from '../grammar/arguments.ts';
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

export const keyCreate: Command = {
  name: 'key create',
  usage:
    '--company ID --name NAME [--test] [--domain D] [--channels a,b] [--code-length N] ' +
    '[--code-ttl S] [--fallback S] [--language ru|kk|both] [--brand B] [--rate N]',
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
  },
  async run({ given, env, texts }) {
    const settings = settingsOf(given);
    const { keyId, key } = await withStorage(env, async (tools) => {
      await mustHaveCompany(tools, settings.companyId);
      // In the audit log of the company, the command line is nobody in particular.
      return addKey(tools, {}, settings);
    });
    return {
      facts: { key_id: keyId, key },
      lines: [texts.keyCreated(keyId, settings.companyId), `  ${key}`],
    };
  },
};

function settingsOf(given: Given): KeySettings {
  const language = given.text('language');
  return {
    companyId: companyIdOf(given),
    name: requiredName(given, 'name', KEY_NAME_LENGTH_MAX),
    isTest: given.isOn('test'),
    domain: domainOf(given.text('domain')),
    channels: channelsOf(given.text('channels')),
    codeLength: optionalNumber(given, 'code-length', CODE_LENGTH),
    codeTtlSeconds: optionalNumber(given, 'code-ttl', CODE_TTL),
    fallbackSeconds: optionalNumber(given, 'fallback', FALLBACK),
    language: language === undefined ? undefined : oneOf('--language', language, LANGUAGES),
    brand: optionalName(given, 'brand', BRAND_LENGTH_MAX),
    ratePerMinute: optionalNumber(given, 'rate', RATE),
  };
}

function domainOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const domain = readDomain(text);
  if (domain === undefined) throw new UsageError((texts) => texts.badDomain(text));
  return domain;
}

/** The order is kept: it is the order in which `auto` tries them. */
function channelsOf(text: string | undefined): Channel[] | undefined {
  if (text === undefined) return undefined;
  const channels = text.split(',').map((item) => oneOf('--channels', item.trim(), CHANNELS));
  const twice = channels.find((channel, at) => channels.indexOf(channel) !== at);
  if (twice !== undefined) throw new UsageError((texts) => texts.twice('--channels', twice));
  return channels;
}
