import { CHANNEL_TITLES, CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { ATTEMPT_TIMEOUT_MS } from '@zhiber/contract/api/limits.ts';
import type { Outcome, OutgoingMessage } from '../../channels/channel.ts';
import { openProviders } from '../../channels/open-providers.ts';
import type { Provider } from '../../channels/provider.ts';
import { findTelegramChat, isWhatsappWindowOpen } from '../../contacts/contact-store.ts';
import { codeText } from '../../delivery/message-text.ts';
import { type CompanyId, newId } from '../../ids.ts';
import { newCode } from '../../otp/code.ts';
import { type Phone, readPhone } from '../../phone.ts';
import { type Command, Refusal, UsageError } from '../grammar/command.ts';
import { oneOf } from '../grammar/values.ts';
import { type Tools, withStorage } from '../with-storage.ts';
import { toolsWithoutContacts } from './provider-tools.ts';

const CODE_LENGTH = 6;
const TTL_SECONDS = 300;
/** References of companies begin at one; receipts for this one find nobody, and need not. */
const NOBODY = 0 as CompanyId;

export const channelTest: Command = {
  name: 'channel test',
  usage: 'whatsapp|telegram|sms PHONE',
  summary: {
    en: 'Sends one real message with a made-up code through each provider of a channel',
    ru: 'Отправляет одно настоящее сообщение с выдуманным кодом через каждого провайдера канала',
  },
  operands: ['CHANNEL', 'PHONE'],
  async run({ given, env, texts }) {
    const [channelText = '', phoneText = ''] = given.operands;
    const channel = oneOf('CHANNEL', channelText, CHANNELS);
    const phone = readPhone(phoneText)?.phone;
    if (phone === undefined) throw new UsageError((say) => say.badPhone(phoneText));
    const results = await withStorage(env, (tools) => sendThroughAll(tools, channel, phone));
    if (results.length === 0) throw new Refusal((say) => say.noProvider(CHANNEL_TITLES[channel]));
    const isGood = results.every(({ outcome }) => outcome.result === 'accepted');
    return {
      facts: { channel, results },
      lines: results.map(({ provider, outcome }) => `  ${provider}: ${texts.outcome(outcome)}`),
      exitCode: isGood ? 0 : 1,
    };
  },
};

async function sendThroughAll({ db, config }: Tools, channel: Channel, phone: Phone) {
  const providers = openProviders(
    config.providers.filter((provider) => provider.channel === channel),
    {
      ...toolsWithoutContacts(config),
      findTelegramChat: (to) => findTelegramChat(db, to),
      isWhatsappWindowOpen: (to) => isWhatsappWindowOpen(db, to),
    },
  );
  try {
    const results: { provider: string; outcome: Outcome }[] = [];
    for (const provider of providers) {
      results.push({ provider: provider.name, outcome: await sendOne(provider, phone) });
    }
    return results;
  } finally {
    await Promise.all(providers.map((provider) => provider.stop?.()));
  }
}

async function sendOne(provider: Provider, phone: Phone): Promise<Outcome> {
  provider.start?.(() => Promise.resolve());
  // One with a connection of its own has it when this comes back.
  if (provider.start !== undefined) await provider.check(AbortSignal.timeout(ATTEMPT_TIMEOUT_MS));
  return await provider.send(testMessage(provider, phone), AbortSignal.timeout(ATTEMPT_TIMEOUT_MS));
}

function testMessage({ channel }: Provider, phone: Phone): OutgoingMessage {
  const code = newCode(CODE_LENGTH);
  const voice = { language: 'ru', brand: 'Zhiber', domain: null } as const;
  return {
    ref: { companyId: NOBODY, messageId: newId(Date.now()), attempt: 1 },
    keyId: 0,
    isTest: false,
    to: { phone },
    load: 'code',
    language: 'ru',
    text: codeText(voice, { channel, code }),
    code,
    ttlSeconds: TTL_SECONDS,
  };
}
