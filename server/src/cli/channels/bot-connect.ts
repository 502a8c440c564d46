import { openTelegramBot } from '../../channels/telegram/bot.ts';
import { readConfig } from '../../config/config.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { toolsWithoutContacts } from './provider-tools.ts';

const TIMEOUT_MS = 8_000;

export const botConnect: Command = {
  name: 'bot connect',
  usage: '',
  summary: {
    en: 'Tells Telegram to send updates of the bot to PUBLIC_URL',
    ru: 'Сообщает Telegram, куда слать обновления бота: на PUBLIC_URL',
  },
  async run({ env }) {
    const config = readConfig(env);
    const found = config.providers.find(({ kind }) => kind === 'telegram-bot');
    if (found === undefined) throw new Refusal((say) => say.noProvider('telegram-bot'));
    if (config.publicUrl === undefined) throw new Refusal((say) => say.noPublicUrl);
    const tools = toolsWithoutContacts(config);
    // Both are required settings of the bot.
    const { token = '', secretToken = '', url: apiUrl } = found.values;
    const settings = { token, secretToken, url: apiUrl };
    const bot = openTelegramBot(settings, tools, {
      findChat: tools.findTelegramChat,
      onContact: tools.onContact,
    });
    const url = tools.callbackUrl('telegram-bot');
    const { ok, detail } = await bot.setWebhook(url, AbortSignal.timeout(TIMEOUT_MS));
    await bot.stop?.();
    return { facts: { ok, detail }, lines: [detail], exitCode: ok ? 0 : 1 };
  },
};
