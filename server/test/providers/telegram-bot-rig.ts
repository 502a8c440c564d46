import type { TestContext } from 'node:test';
import { startTelegramBot } from '../../../simulators/telegram-bot.ts';
import type { Contact } from '../../src/channels/provider.ts';
import {
  openTelegramBot,
  type TelegramBotContacts,
  type TelegramBotSettings,
} from '../../src/channels/telegram/bot.ts';
import { systemClock } from '../../src/clock.ts';
import { codeMessage, PHONE, startCallbackDesk } from './telegram-rig.ts';

export const TOKEN = '123456789:AAFbotTokenOfTheTestsWhichIsLongEno';
export const WRONG_TOKEN = '123456789:AAFanotherTokenThatWasNeverIssuedByT';
export const SECRET = 'webhook-secret_of_the_tests';
export const AIGUL = { userId: 501, phone: PHONE, name: 'Айгүл' };
export const GROUP = { chatId: -4_711, title: 'Заказы' };
export const GROUP_ID = String(GROUP.chatId);

/** A bot that Aigul has started, that is in one group, and whose updates come to a desk. */
export async function startBot(
  t: TestContext,
  changes: Partial<TelegramBotSettings & TelegramBotContacts> = {},
) {
  const desk = await startCallbackDesk(t);
  const webhook = { url: desk.url, secretToken: SECRET };
  const simulator = await startTelegramBot({ token: TOKEN, webhook });
  const moves: object[] = [];
  const bot = openTelegramBot(
    { url: simulator.url, token: TOKEN, secretToken: SECRET, ...changes },
    systemClock,
    {
      findChat: async (phone) => (phone === PHONE ? String(AIGUL.userId) : undefined),
      onGroupMoved: (move) => moves.push(move),
      ...changes,
    },
  );
  t.after(async () => {
    await bot.stop?.();
    await simulator.close();
  });
  desk.reader = bot;
  await simulator.start(AIGUL);
  await simulator.addBotToGroup(GROUP);
  const before = simulator.journal.taken().length;
  desk.contents = [];
  return {
    simulator,
    bot,
    desk,
    moves,
    sent: () => simulator.journal.taken().slice(before),
    contacts: (): Contact[] => desk.contents.flatMap((content) => content?.contacts ?? []),
  };
}

export const groupMessage = () =>
  codeMessage({ load: 'group', to: { group: GROUP_ID }, text: 'Отчёт готов', code: undefined });
