/**
 * WhatsApp through Green-API, a bridge over a linked device: any text to anybody, without
 * templates, at the operator's own risk. Follows these pages of green-api.com/docs/api:
 * "SendMessage", "OutgoingMessageStatus", "GetWaSettings", "SetSettings", "Incoming text message",
 * "Webhook Endpoint", "Common errors".
 *
 * In its console the operator enters the callback address as `webhookUrl` and `callbackToken` as
 * `webhookUrlToken`, and turns `outgoingWebhook`, `outgoingAPIMessageWebhook` and `stateWebhook` on;
 * also `incomingWebhook`, so that a word posted in a group links it, and a stop word is heard.
 *
 * An acceptance means that the message waits in the provider's queue: see green-instance.ts. Left out on
 * purpose: checking before each message whether the number has WhatsApp, which the provider limits,
 * and polling for notifications.
 */

import { asObject, type JsonObject, readObject } from '../../json-object.ts';
import { parsePhone } from '../../phone.ts';
import {
  createProviderClient,
  isRefusal,
  isSuccess,
  type ProviderAnswer,
} from '../../runtime/provider-client.ts';
import { isSameSecret } from '../../token.ts';
import type { ContentKind, Outcome, Receipt, Recipient } from '../channel.ts';
import { notOffered, refused, unavailable, unknown } from '../failed-outcome.ts';
import { readGroupWord } from '../group-word.ts';
import { outcomeWithoutAnswer } from '../http/provider-answer.ts';
import { createUnclearLog } from '../http/unclear-log.ts';
import type {
  CallbackContent,
  CallbackRequest,
  GroupClaim,
  Provider,
  ProviderBasics,
  Stop,
} from '../provider.ts';
import { isStopWord, STOP_CONFIRMED } from '../stop-word.ts';
import {
  checkInstance,
  type GreenInstance,
  NOT_CONNECTED,
  SUSPENDED,
  watchGreenInstance,
} from './green-instance.ts';

export type GreenApiSettings = {
  /** The API address of the instance in the console; `https://api.green-api.com` by default. */
  url?: string | undefined;
  /** The id of the instance, digits. */
  instanceId: string;
  /** Secret: the token of the instance. It is part of the address of each call. */
  token: string;
  /** Secret: our own token, which comes with each notification. */
  callbackToken: string;
  /** How often the state of the instance is asked for, when not every 30 seconds. */
  pollMs?: number | undefined;
};

const URL_DEFAULT = 'https://api.green-api.com';
/** The list of a long queue. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** A message to a group that does not exist would block the provider's queue. */
const GROUP_ID = /^[1-9]\d{9,}(?:-\d+)?@g\.us$/;

const BAD_TOKEN = unavailable('Провайдер WhatsApp не принимает ключ доступа');
const UNCLEAR = unknown('Провайдер WhatsApp ответил непонятно');

const BY_STATUS: ReadonlyMap<number, Outcome> = new Map([
  [401, BAD_TOKEN],
  [403, BAD_TOKEN],
  [404, unavailable('Адрес провайдера WhatsApp указан неверно')],
  [429, unavailable('Достигнут лимит отправки WhatsApp')],
  [466, unavailable('Исчерпан тариф провайдера WhatsApp')],
  [400, refused('Провайдер WhatsApp не принял сообщение')],
  // Both mean a timeout while the call was being processed.
  [408, UNCLEAR],
  [499, UNCLEAR],
]);

/** Some answers with 400 mean that the instance itself cannot send. */
const INSTANCE_FAULTS: readonly (readonly [RegExp, Outcome])[] = [
  [/instance (?:is|in) starting/i, NOT_CONNECTED],
  [/not authorized/i, NOT_CONNECTED],
  [/instance is deleted/i, NOT_CONNECTED],
  [/account is expired/i, unavailable('Не оплачен аккаунт у провайдера WhatsApp')],
];

const RECEIPTS: ReadonlyMap<unknown, { receipt: Receipt; reason?: string }> = new Map([
  ['delivered', { receipt: 'delivered' }],
  ['read', { receipt: 'read' }],
  ['failed', { receipt: 'failed', reason: 'WhatsApp не доставил сообщение' }],
  ['noAccount', { receipt: 'failed', reason: 'У этого номера нет WhatsApp' }],
  ['notInGroup', { receipt: 'failed', reason: 'Отправитель не состоит в этой группе' }],
  ['yellowCard', { receipt: 'failed', reason: SUSPENDED }],
]);

const NAME = 'green-api';

export function openGreenApi(settings: GreenApiSettings, { clock, log }: ProviderBasics): Provider {
  const logUnclear = createUnclearLog({ name: NAME, log, settings });
  const client = createProviderClient({
    url: settings.url ?? URL_DEFAULT,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  const pathFor = (method: string) =>
    `/waInstance${settings.instanceId}/${method}/${encodeURIComponent(settings.token)}`;
  const post = (chatId: string, message: string, signal: AbortSignal) =>
    client.call({
      method: 'POST',
      path: pathFor('sendMessage'),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chatId, message, linkPreview: false }),
      signal,
    });
  const get = (method: string, signal: AbortSignal) =>
    client.call({ method: 'GET', path: pathFor(method), signal });
  const instance = watchGreenInstance({
    name: NAME,
    call: get,
    log,
    clock,
    pollMs: settings.pollMs,
  });

  return {
    name: NAME,
    channel: 'whatsapp',
    carries: new Set<ContentKind>(['code', 'code_with_link', 'text', 'group']),
    receiptKey: 'id',
    deduplicates: false,
    canQueryByRef: false,
    async send(message, signal) {
      const chatId = toChatId(message.to);
      if (chatId === undefined) return refused('Это не группа WhatsApp');
      const refusal = instance.refusal();
      if (refusal !== undefined) return notOffered(refusal);
      const answer = await post(chatId, message.text, signal);
      const outcome = readOutcome(answer);
      if (outcome === NOT_CONNECTED) instance.askSoon();
      return logUnclear(outcome, answer, message);
    },
    async confirmStop(phone, signal) {
      await post(`${phone}@c.us`, STOP_CONFIRMED, signal);
    },
    readCallback: (request) => readCallback(request, settings, instance),
    async readGroupAccount(signal) {
      return parseNumber(await get('getWaSettings', signal));
    },
    async check(signal) {
      return checkInstance(await get('getStateInstance', signal));
    },
    state: instance.state,
    start: instance.start,
    async stop() {
      await instance.stop();
      await client.close();
    },
  };
}

function toChatId(to: Recipient): string | undefined {
  if ('phone' in to) return `${to.phone}@c.us`;
  return GROUP_ID.test(to.group) ? to.group : undefined;
}

function readOutcome(answer: ProviderAnswer): Outcome {
  if (answer.kind !== 'answer') return outcomeWithoutAnswer(answer);
  const { status, text } = answer;
  if (isSuccess(status)) {
    const id = readObject(text)?.idMessage;
    return typeof id === 'string' && id !== '' ? { result: 'accepted', providerId: id } : UNCLEAR;
  }
  if (!isRefusal(status)) return UNCLEAR;
  const fault = status === 400 ? INSTANCE_FAULTS.find(([regex]) => regex.test(text)) : undefined;
  if (fault !== undefined) return fault[1];
  return BY_STATUS.get(status) ?? refused(`Провайдер WhatsApp отказал в отправке (код ${status})`);
}

function readCallback(
  { method, headers, body }: CallbackRequest,
  { instanceId, callbackToken }: GreenApiSettings,
  instance: GreenInstance,
): CallbackContent | undefined {
  const token = (headers.authorization ?? '').replace(/^Bearer /i, '');
  if (method !== 'POST' || !isSameSecret(token, callbackToken)) return undefined;
  const notice = readObject(body.toString('utf8')) ?? {};
  const idInstance = asObject(notice.instanceData)?.idInstance;
  if (String(idInstance) !== instanceId) return { reports: [] };
  const claim = readClaim(notice);
  if (claim !== undefined) return { reports: [], claim };
  const stop = readStop(notice);
  if (stop !== undefined) return { reports: [], stops: [stop] };
  if (notice.typeWebhook === 'stateInstanceChanged') instance.hear(notice);
  const known = RECEIPTS.get(notice.status);
  const isOurs =
    notice.typeWebhook === 'outgoingMessageStatus' &&
    // False for a message that was typed on the phone.
    notice.sendByApi !== false;
  if (!isOurs || known === undefined || typeof notice.idMessage !== 'string') {
    return { reports: [] };
  }
  if (notice.status === 'yellowCard') instance.askSoon();
  return { reports: [{ providerId: notice.idMessage, ...known }] };
}

/** A message in a group that is nothing but a word from the cabinet. */
function readClaim(notice: JsonObject): GroupClaim | undefined {
  const sender = asObject(notice.senderData);
  const chatId = sender?.chatId;
  const word = readGroupWord(readText(notice));
  const isGroup = typeof chatId === 'string' && GROUP_ID.test(chatId);
  if (notice.typeWebhook !== 'incomingMessageReceived' || !isGroup || word === undefined) {
    return undefined;
  }
  return { channel: 'whatsapp', chatId, title: String(sender?.chatName ?? ''), word };
}

/** A message from a person that is nothing but a stop word. */
function readStop(notice: JsonObject): Stop | undefined {
  const chatId = asObject(notice.senderData)?.chatId;
  const [, digits] = /^(\d{7,15})@c\.us$/.exec(String(chatId)) ?? [];
  const phone = digits === undefined ? undefined : parsePhone(`+${digits}`)?.phone;
  const isWritten = notice.typeWebhook === 'incomingMessageReceived';
  return isWritten && phone !== undefined && isStopWord(readText(notice)) ? { phone } : undefined;
}

function readText(notice: JsonObject): unknown {
  const message = asObject(notice.messageData);
  return (
    asObject(message?.textMessageData)?.textMessage ??
    // What is typed on some phones comes as a text with a possible preview.
    asObject(message?.extendedTextMessageData)?.text
  );
}

/** The number of the linked device; empty while it is not connected. */
function parseNumber(answer: ProviderAnswer): string | undefined {
  const phone = answer.kind === 'answer' ? readObject(answer.text)?.phone : undefined;
  return typeof phone === 'string' && /^\d{7,15}$/.test(phone) ? `+${phone}` : undefined;
}
