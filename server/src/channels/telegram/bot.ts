/**
 * Messages of a Telegram bot: to people who have shown it their phone, and to groups it is in.
 * Follows core.telegram.org/bots/api (Bot API 10.1) and core.telegram.org/bots/faq.
 *
 * Left out on purpose: formatting, since a text is sent as it was written; paid broadcasts beyond
 * the free limits; `getUpdates`, since updates come by the webhook. The Bot API has no receipts.
 */

import type { Clock } from '../../clock.ts';
import type { Phone } from '../../phone.ts';
import type { Outcome, OutgoingMessage, Recipient } from '../channel.ts';
import { failedCheck } from '../http/failed-check.ts';
import { asObject } from '../http/json-object.ts';
import {
  createProviderClient,
  outcomeWithoutAnswer,
  type ProviderAnswer,
} from '../http/provider-client.ts';
import type { Contact, Provider, ProviderCheck } from '../provider.ts';
import { refused, unavailable } from '../verdict.ts';
import { isGone, outcomeOfError } from './bot-errors.ts';
import { readBotReply } from './bot-reply.ts';
import { ALLOWED_UPDATES, readUpdate } from './bot-updates.ts';
import { TOO_FAST, UNCLEAR } from './outcomes.ts';

export type TelegramBotSettings = {
  /** Where the Bot API is, when not at its public address. */
  url?: string | undefined;
  /** The bot's token. Secret: it stands in the address of every call, and nowhere else. */
  token: string;
  /** What updates have to carry to be believed: 1-256 of A-Z, a-z, 0-9, _ and -. Secret. */
  secretToken: string;
};

/** What the bot cannot know by itself. */
export type TelegramBotContacts = {
  /** The private chat with the owner of a phone, if that person has shown it to the bot. */
  findChat(phone: Phone): Promise<string | undefined>;
  /**
   * Told, and not waited for, when a send shows that a chat is gone or that a group has a new id.
   * Must not throw.
   */
  onContact(contact: Contact): void;
};

export type TelegramBot = Provider & {
  /** Has Telegram send its updates to an HTTPS address. */
  setWebhook(url: string, signal: AbortSignal): Promise<ProviderCheck>;
};

type Ask = (method: string, parameters: object, signal: AbortSignal) => Promise<ProviderAnswer>;

const PUBLIC_URL = 'https://api.telegram.org';
const SECRET_TOKEN = /^[A-Za-z0-9_-]{1,256}$/;

export function openTelegramBot(
  settings: TelegramBotSettings,
  clock: Clock,
  contacts: TelegramBotContacts,
): TelegramBot {
  const { token, secretToken } = settings;
  // An empty secret would believe everybody.
  if (!SECRET_TOKEN.test(secretToken)) throw new Error('telegram-bot: secretToken is malformed');
  const client = createProviderClient({ url: settings.url ?? PUBLIC_URL });
  const folder = `/bot${encodeURI(token)}`;
  const ask: Ask = (method, parameters, signal) =>
    client.call({
      method: 'POST',
      path: `${folder}/${method}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      signal,
    });
  const chatOf = async (to: Recipient) => ('group' in to ? to.group : contacts.findChat(to.phone));
  const post = async (chatId: string, message: OutgoingMessage, signal: AbortSignal) => {
    const answer = await ask('sendMessage', messageTo(chatId, message), signal);
    const news = newsIn(answer, chatId, message.to);
    if (news !== undefined) contacts.onContact(news);
    return { outcome: outcomeOf(chatId, answer), news };
  };

  return {
    name: 'telegram-bot',
    channel: 'telegram',
    carries: new Set(['code', 'code_with_link', 'text', 'group']),
    receiptsBy: 'none',
    deduplicates: false,
    tellsByRef: false,
    canReach: async (to) => (await chatOf(to)) !== undefined,
    async send(message, signal) {
      const address = await lookUp(chatOf(message.to));
      if (!('chatId' in address)) return address;
      const { outcome, news } = await post(address.chatId, message, signal);
      if (news?.kind !== 'telegram_group_moved') return outcome;
      // That the group has moved is a clear no: the message was not sent to the old chat.
      return (await post(news.newChatId, message, signal)).outcome;
    },
    readCallback: (request) => readUpdate(request, secretToken),
    readUsername: async (signal) => usernameIn(await ask('getMe', {}, signal)),
    check: (signal) => check(ask, clock, signal),
    setWebhook: (url, signal) => setWebhook(ask, { url, secretToken }, signal),
    stop: () => client.close(),
  };
}

const NOT_LINKED = refused('Владелец этого номера не подключил бота в Telegram');
const NOT_LOOKED_UP = unavailable('Не удалось узнать, подключён ли бот в Telegram');

async function lookUp(looking: Promise<string | undefined>): Promise<{ chatId: string } | Outcome> {
  try {
    const chatId = await looking;
    return chatId === undefined ? NOT_LINKED : { chatId };
  } catch {
    return NOT_LOOKED_UP;
  }
}

/** Not protected from being copied: a person copies the code. */
function messageTo(chatId: string, { text }: OutgoingMessage): object {
  return {
    chat_id: /^-?\d+$/.test(chatId) ? Number(chatId) : chatId,
    text,
    // A preview would have Telegram open the short link before the person does.
    link_preview_options: { is_disabled: true },
  };
}

/** What a refusal tells of the chat, as an update would have told it. */
function newsIn(answer: ProviderAnswer, chatId: string, to: Recipient): Contact | undefined {
  const reply = readBotReply(answer);
  if (reply?.ok !== false) return undefined;
  const { newChatId } = reply;
  if (newChatId !== undefined) return { kind: 'telegram_group_moved', chatId, newChatId };
  if (!isGone(reply)) return undefined;
  return { kind: 'group' in to ? 'telegram_group_gone' : 'telegram_person_gone', chatId };
}

function outcomeOf(chatId: string, answer: ProviderAnswer): Outcome {
  if (answer.kind !== 'answer') return outcomeWithoutAnswer(answer);
  const reply = readBotReply(answer);
  if (reply?.ok === false) return outcomeOfError(reply);
  // Whoever counts the calls on the way to the Bot API has not let this one through.
  if (answer.status === 429) return TOO_FAST;
  const messageId = asObject(reply?.result)?.message_id;
  return Number.isSafeInteger(messageId) && Number(messageId) > 0
    ? { result: 'accepted', providerId: `${chatId}/${messageId}` }
    : UNCLEAR;
}

function usernameIn(me: ProviderAnswer): string | undefined {
  const username = asObject(resultOf(me))?.username;
  return typeof username === 'string' ? username : undefined;
}

async function check(ask: Ask, clock: Clock, signal: AbortSignal): Promise<ProviderCheck> {
  const me = await ask('getMe', {}, signal);
  const username = usernameIn(me);
  if (username === undefined) return failed(me);
  const webhook = await ask('getWebhookInfo', {}, signal);
  const state = asObject(resultOf(webhook));
  if (state === undefined) return failed(webhook);
  if (typeof state.url !== 'string' || !URL.canParse(state.url)) {
    return { ok: false, detail: `The token is that of @${username}, but its webhook is not set.` };
  }
  const goes = `Updates of @${username} go to ${new URL(state.url).host}`;
  if (state.last_error_date === undefined) return { ok: true, detail: `${goes}.` };
  const secondsAgo = Math.round(clock.now().getTime() / 1000 - Number(state.last_error_date));
  return {
    // Telegram remembers its last failure; it matters while updates wait because of it.
    ok: state.pending_update_count === 0,
    detail: `${goes}; the last failure was ${secondsAgo} s ago: ${state.last_error_message ?? '?'}.`,
  };
}

async function setWebhook(
  ask: Ask,
  { url, secretToken }: { url: string; secretToken: string },
  signal: AbortSignal,
): Promise<ProviderCheck> {
  const parameters = { url, secret_token: secretToken, allowed_updates: ALLOWED_UPDATES };
  const answer = await ask('setWebhook', parameters, signal);
  return resultOf(answer) === true
    ? { ok: true, detail: 'Telegram sends updates to the new address from now on.' }
    : failed(answer);
}

function resultOf(answer: ProviderAnswer): unknown {
  const reply = readBotReply(answer);
  return reply?.ok === true ? reply.result : undefined;
}

function failed(answer: ProviderAnswer): ProviderCheck {
  const reply = readBotReply(answer);
  return failedCheck('Telegram', answer, reply?.ok === false ? reply.description : undefined);
}
