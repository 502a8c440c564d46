import { CHANNEL_TITLES, CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { ATTEMPT_TIMEOUT_MS } from '@zhiber/contract/api/limits.ts';
import { codeText } from '@zhiber/contract/message/message-text.ts';
import type { Outcome, OutgoingMessage } from '../../channels/channel.ts';
import { combineProviders } from '../../channels/combine-providers.ts';
import { openProviders } from '../../channels/open-providers.ts';
import type { Provider } from '../../channels/provider.ts';
import { type Config, readConfig } from '../../config/config.ts';
import type { ProviderConfig } from '../../config/read-providers.ts';
import { findTelegramChat, isWhatsappWindowOpen } from '../../contacts/contact-store.ts';
import { findSmsRefusal } from '../../delivery/check-recipient.ts';
import { type CompanyId, newId } from '../../ids.ts';
import { createLog } from '../../log.ts';
import { newCode } from '../../otp/code.ts';
import { type Phone, parsePhone } from '../../phone.ts';
import { type Command, Refusal, UsageError } from '../grammar/command.ts';
import { oneOf } from '../grammar/values.ts';
import { type Tools, withStorage } from '../with-storage.ts';
import { toolsWithoutContacts } from './provider-tools.ts';

const CODE_LENGTH = 6;
const TTL_SECONDS = 300;
/** Company ids begin at one, so receipts of a test message match no company. */
const NO_COMPANY = 0 as CompanyId;

export const channelTest: Command = {
  name: 'channel test',
  usage: 'whatsapp|telegram|sms PHONE [--provider NAME]',
  summary: {
    en: 'Sends one real message with a random code over a channel or one of its providers',
    ru: 'Отправляет одно настоящее сообщение с выдуманным кодом через канал или одного его провайдера',
  },
  options: { provider: 'text' },
  operands: ['CHANNEL', 'PHONE'],
  async run({ given, env, texts }) {
    const [channelText = '', phoneText = ''] = given.operands;
    const channel = oneOf('CHANNEL', channelText, CHANNELS);
    const config = readConfig(env);
    const phone = readRecipient(config, channel, phoneText);
    const configs = chooseProviders(config, channel, given.text('provider'));
    const { outcome, results } = await withStorage(env, (tools) => sendOne(tools, configs, phone));
    const isAccepted = outcome.result === 'accepted';
    return {
      facts: { channel, provider: isAccepted ? results.at(-1)?.provider : null, results },
      lines:
        results.length === 0
          ? [`  ${texts.outcome(outcome)}`]
          : results.map((one) => `  ${one.provider}: ${texts.outcome(one.outcome)}`),
      exitCode: isAccepted ? 0 : 1,
    };
  },
};

/** Applies the service's own checks: a test message to a costly number costs the same. */
function readRecipient(config: Config, channel: Channel, text: string): Phone {
  const facts = parsePhone(text);
  if (facts === undefined) throw new UsageError((say) => say.badPhone(text));
  if (facts.isCostly) throw new Refusal((say) => say.costlyPhone(text));
  const refusal = channel === 'sms' ? findSmsRefusal(config, facts) : undefined;
  if (refusal === 'invalid_phone') throw new Refusal((say) => say.notMobile(text));
  if (refusal !== undefined) {
    throw new Refusal((say) => say.noSmsCountry(text, config.smsCountries));
  }
  return facts.phone;
}

function chooseProviders(
  { providers }: Config,
  channel: Channel,
  chosenName: string | undefined,
): ProviderConfig[] {
  const own = providers.filter((provider) => provider.channel === channel);
  if (own.length === 0) throw new Refusal((say) => say.noProvider(CHANNEL_TITLES[channel]));
  if (chosenName === undefined) return own;
  const names = own.map(({ name }) => name);
  const name = oneOf('--provider', chosenName, names);
  return own.filter((provider) => provider.name === name);
}

type ProviderResult = { provider: string; outcome: Outcome };

/** Sends one message the way a real one is sent, and records the outcome of each provider. */
async function sendOne({ db, config }: Tools, configs: readonly ProviderConfig[], phone: Phone) {
  const providers = openProviders(configs, {
    ...toolsWithoutContacts(config),
    findTelegramChat: (to) => findTelegramChat(db, to),
    isWhatsappWindowOpen: (to) => isWhatsappWindowOpen(db, to),
  });
  const results: ProviderResult[] = [];
  const recorded = providers.map((provider) => recordOutcomes(provider, results));
  const channel = combineProviders(recorded, {
    log: createLog('silent', { sync: true }),
    // The receipt of a test message is not needed.
    storeProviderIds: async () => true,
  });
  try {
    for (const provider of providers) await connect(provider);
    const message = testMessage(configs[0]?.channel as Channel, phone);
    const outcome = await channel.send(message, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS));
    return { outcome, results };
  } finally {
    await Promise.all(providers.map((provider) => provider.stop?.()));
  }
}

function recordOutcomes(provider: Provider, results: ProviderResult[]): Provider {
  return {
    ...provider,
    async send(message, signal) {
      const outcome = await provider.send(message, signal);
      results.push({ provider: provider.name, outcome });
      return outcome;
    },
  };
}

/** Waits until a provider with a persistent connection is connected, or has failed to connect. */
async function connect(provider: Provider): Promise<void> {
  if (provider.start === undefined || provider.state === undefined) return;
  // Receipts on this connection are for the server. A rejected receipt is sent again.
  provider.start(() => Promise.reject(new Error('they are for the server')));
  await provider.check(AbortSignal.timeout(ATTEMPT_TIMEOUT_MS));
}

function testMessage(channel: Channel, phone: Phone): OutgoingMessage {
  const code = newCode(CODE_LENGTH);
  const voice = { language: 'ru', brand: 'Zhiber', domain: null } as const;
  return {
    ref: { companyId: NO_COMPANY, messageId: newId(Date.now()), attempt: 1 },
    keyId: 0,
    isTest: false,
    to: { phone },
    content: 'code',
    language: 'ru',
    text: codeText(voice, { channel, code }),
    code,
    ttlSeconds: TTL_SECONDS,
  };
}
