import type { TestContext } from 'node:test';
import { startTelegramBot } from '../../../simulators/telegram-bot.ts';
import type { Contact } from '../../src/channels/provider.ts';
import {
  openTelegramBot,
  type TelegramBotContacts,
  type TelegramBotSettings,
} from '../../src/channels/telegram/bot.ts';
import { systemClock } from '../../src/clock.ts';
import { codeMessage, PHONE } from './rig/messages.ts';
import { openRig } from './rig/open-rig.ts';

export const TOKEN = '123456789:AAFbotTokenOfTheTestsWhichIsLongEno';
export const WRONG_TOKEN = '123456789:AAFanotherTokenThatWasNeverIssuedByT';
export const SECRET = 'webhook-secret_of_the_tests';
export const AIGUL = { userId: 501, phone: PHONE, name: 'Айгүл' };
export const GROUP = { chatId: -4_711, title: 'Заказы' };
export const GROUP_ID = String(GROUP.chatId);

/** A bot that Aigul has started, that is in one group, and whose updates come to a desk. */
export async function openBotRig(
  t: TestContext,
  changes: {
    settings?: Partial<TelegramBotSettings>;
    contacts?: Partial<TelegramBotContacts>;
  } = {},
) {
  const told: Contact[] = [];
  const contacts: TelegramBotContacts = {
    findChat: async (phone) => (phone === PHONE ? String(AIGUL.userId) : undefined),
    onContact: (contact) => told.push(contact),
    ...changes.contacts,
  };
  const { provider, simulator, desk } = await openRig(t, {
    simulator: (url) => startTelegramBot({ token: TOKEN, webhook: { url, secretToken: SECRET } }),
    provider({ url }) {
      const settings = { url, token: TOKEN, secretToken: SECRET, ...changes.settings };
      return openTelegramBot(settings, systemClock, contacts);
    },
  });
  await simulator.start(AIGUL);
  await simulator.addBotToGroup(GROUP);
  const before = simulator.journal.taken().length;
  desk.contents = [];
  return { provider, simulator, desk, told, sent: () => simulator.journal.taken().slice(before) };
}

export const groupMessage = () =>
  codeMessage({ load: 'group', to: { group: GROUP_ID }, text: 'Отчёт готов', code: undefined });
