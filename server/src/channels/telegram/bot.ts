/**
 * Sends messages through a Telegram bot: to people who have shared their phone with it, and to
 * groups that it is in.
 * Follows core.telegram.org/bots/api (Bot API 10.1) and core.telegram.org/bots/faq.
 *
 * Left out on purpose: formatting, since a text is sent as it was written; paid broadcasts beyond
 * the free limits; `getUpdates`, since updates come by the webhook. The Bot API has no receipts.
 */

import type { Clock } from '../../clock.ts';
import { asObject } from '../../json-object.ts';
import type { Phone } from '../../phone.ts';
import { createProviderClient, type ProviderAnswer } from '../../runtime/provider-client.ts';
import type { Outcome, OutgoingMessage, Recipient } from '../channel.ts';
import { notOffered, refused, unavailable } from '../failed-outcome.ts';
import { failedCheck, outcomeWithoutAnswer } from '../http/provider-answer.ts';
import { createUnclearLog } from '../http/unclear-log.ts';
import type { Contact, Provider, ProviderBasics, ProviderCheck } from '../provider.ts';
import { CHAT_FLOODED, isGone, outcomeOfError } from './bot-errors.ts';
import { readBotReply } from './bot-reply.ts';
import { ALLOWED_UPDATES, createUpdateReader } from './bot-updates.ts';
import { createFloodWaits } from './flood-waits.ts';
import { TOO_FAST, UNCLEAR } from './outcomes.ts';

export type TelegramBotSettings = {
  /** The address of the Bot API, when not the public one. */
  url?: string | undefined;
  /** The bot's token. Secret: it is in the address of every call, and nowhere else. */
  token: string;
  /** Updates without it are rejected: 1-256 of A-Z, a-z, 0-9, _ and -. Secret. */
  secretToken: string;
  /** Where updates should go; `check` compares it with what Telegram has. */
  callbackUrl?: string | undefined;
  /** About 30 by the FAQ of bots; without it broadcasts have no limit. */
  ratePerSecond?: number | undefined;
};

/** What the bot needs from the stored contacts. */
export type TelegramBotContacts = {
  /** The private chat with the owner of a phone, if that person has shared it with the bot. */
  findChat(phone: Phone): Promise<string | undefined>;
  /**
   * Called, and not awaited, when a send shows that a chat is unreachable or that a group has a new
   * id. Must not throw.
   */
  onContact(contact: Contact): void;
};

export type TelegramBot = Provider & {
  /** Sets the HTTPS address that Telegram sends updates to. */
  setWebhook(url: string, signal: AbortSignal): Promise<ProviderCheck>;
};

type Ask = (method: string, parameters: object, signal: AbortSignal) => Promise<ProviderAnswer>;

const PUBLIC_URL = 'https://api.telegram.org';
/** For a 429 that does not say how long to wait. */
const RETRY_AFTER_SECONDS_DEFAULT = 1;
const SECRET_TOKEN = /^[A-Za-z0-9_-]{1,256}$/;

const NAME = 'telegram-bot';

export function openTelegramBot(
  settings: TelegramBotSettings,
  { clock, log }: ProviderBasics,
  contacts: TelegramBotContacts,
): TelegramBot {
  const { token, secretToken } = settings;
  // With an empty secret, anybody could forge updates.
  if (!SECRET_TOKEN.test(secretToken)) throw new Error('telegram-bot: secretToken is malformed');
  const client = createProviderClient({ url: settings.url ?? PUBLIC_URL });
  const logUnclear = createUnclearLog({ name: NAME, log, settings });
  const basePath = `/bot${encodeURI(token)}`;
  const ask: Ask = (method, parameters, signal) =>
    client.call({
      method: 'POST',
      path: `${basePath}/${method}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      signal,
    });
  const findChatId = async (to: Recipient) =>
    'group' in to ? to.group : contacts.findChat(to.phone);
  const waits = createFloodWaits();
  const readUpdate = createUpdateReader(secretToken);
  const post = async (
    chatId: string,
    message: OutgoingMessage,
    signal: AbortSignal,
  ): Promise<{ outcome: Outcome; change?: Contact | undefined }> => {
    const waiting = waits.find(chatId);
    if (waiting !== undefined) return { outcome: notOffered(FLOODED[waiting]) };
    const answer = await ask('sendMessage', messageTo(chatId, message), signal);
    const floodSeconds = findFlood(answer);
    if (floodSeconds !== undefined) return { outcome: FLOODED[waits.add(chatId, floodSeconds)] };
    const change = findChange(answer, chatId, message.to);
    if (change !== undefined) contacts.onContact(change);
    return { outcome: logUnclear(outcomeOf(chatId, answer), answer, message), change };
  };

  return {
    name: NAME,
    channel: 'telegram',
    carries: new Set(['code', 'code_with_link', 'text', 'group', 'broadcast']),
    ratePerSecond: settings.ratePerSecond,
    receiptKey: 'none',
    deduplicates: false,
    canQueryByRef: false,
    canReach: async (to) => (await findChatId(to)) !== undefined,
    async send(message, signal) {
      const chat = await resolveChat(findChatId(message.to));
      if (!('chatId' in chat)) return chat;
      const { outcome, change } = await post(chat.chatId, message, signal);
      if (change?.kind !== 'telegram_group_moved') return outcome;
      // Safe to send again: the refusal of a moved group means that nothing was sent.
      return (await post(change.newChatId, message, signal)).outcome;
    },
    readCallback: readUpdate,
    readGroupAccount: async (signal) => parseUsername(await ask('getMe', {}, signal)),
    check: (signal) => check(ask, { clock, callbackUrl: settings.callbackUrl }, signal),
    setWebhook: (url, signal) => setWebhook(ask, { url, secretToken }, signal),
    stop: () => client.close(),
  };
}

const NOT_LINKED = refused('Владелец этого номера не подключил бота в Telegram');
const NOT_LOOKED_UP = unavailable('Не удалось узнать, подключён ли бот в Telegram');

async function resolveChat(
  lookup: Promise<string | undefined>,
): Promise<{ chatId: string } | Outcome> {
  try {
    const chatId = await lookup;
    return chatId === undefined ? NOT_LINKED : { chatId };
  } catch {
    return NOT_LOOKED_UP;
  }
}

const FLOODED = { chat: CHAT_FLOODED, bot: TOO_FAST };

/** How long Telegram asks to wait; undefined for any other answer. */
function findFlood(answer: ProviderAnswer): number | undefined {
  const reply = readBotReply(answer);
  if (reply?.ok !== false || reply.status !== 429) return undefined;
  return reply.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT;
}

/** `protect_content` stays off, because people copy the code. */
function messageTo(chatId: string, { text }: OutgoingMessage): object {
  return {
    chat_id: /^-?\d+$/.test(chatId) ? Number(chatId) : chatId,
    text,
    // To build a preview, Telegram would open the short link before the person does.
    link_preview_options: { is_disabled: true },
  };
}

/** The change of a chat that a refusal implies, in the form of an update. */
function findChange(answer: ProviderAnswer, chatId: string, to: Recipient): Contact | undefined {
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
  // A rate limiter in front of the Bot API rejected the call.
  if (answer.status === 429) return TOO_FAST;
  const messageId = asObject(reply?.result)?.message_id;
  return Number.isSafeInteger(messageId) && Number(messageId) > 0
    ? { result: 'accepted', providerId: `${chatId}/${messageId}` }
    : UNCLEAR;
}

function parseUsername(me: ProviderAnswer): string | undefined {
  const username = asObject(resultOf(me))?.username;
  return typeof username === 'string' ? username : undefined;
}

async function check(
  ask: Ask,
  { clock, callbackUrl }: { clock: Clock; callbackUrl: string | undefined },
  signal: AbortSignal,
): Promise<ProviderCheck> {
  const me = await ask('getMe', {}, signal);
  const username = parseUsername(me);
  if (username === undefined) return failed(me);
  const webhook = await ask('getWebhookInfo', {}, signal);
  const state = asObject(resultOf(webhook));
  if (state === undefined) return failed(webhook);
  if (typeof state.url !== 'string' || !URL.canParse(state.url)) {
    return {
      ok: false,
      detail: `The token belongs to @${username}, but its webhook is not set; run "zhiber bot connect".`,
    };
  }
  const { host } = new URL(state.url);
  // Telegram calls HTTPS addresses only, so any other of ours is not what it should have.
  if (callbackUrl?.startsWith('https:') === true && state.url !== callbackUrl) {
    return {
      ok: false,
      // The rest of a foreign address may be somebody's secret.
      detail: `Updates of @${username} go to another address at ${host}, not to ${callbackUrl}; run "zhiber bot connect".`,
    };
  }
  const text = `Updates of @${username} go to ${host}`;
  if (state.last_error_date === undefined) return { ok: true, detail: `${text}.` };
  const secondsAgo = Math.round(clock.now().getTime() / 1000 - Number(state.last_error_date));
  return {
    // Telegram keeps reporting its last failure; it matters only while updates are pending.
    ok: state.pending_update_count === 0,
    detail: `${text}; the last failure was ${secondsAgo} s ago: ${state.last_error_message ?? '?'}.`,
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
