/**
 * WhatsApp by Green-API, a bridge over a linked device: any text to anybody, without templates, at
 * the operator's own risk. Follows these pages of green-api.com/docs/api: "SendMessage",
 * "OutgoingMessageStatus", "GetStateInstance", "SetSettings", "Webhook Endpoint", "Common errors".
 *
 * In its console the operator enters the callback address as `webhookUrl` and `callbackToken` as
 * `webhookUrlToken`, and turns `outgoingWebhook` and `outgoingAPIMessageWebhook` on.
 *
 * An acceptance means that the message waits in the provider's queue, for up to a day. Left out on
 * purpose: asking whether a number has WhatsApp before each message, which the provider limits, and
 * polling for notifications.
 */

import type { Clock } from '../../clock.ts';
import type { Load, Outcome, Receipt, Recipient } from '../channel.ts';
import { failedCheck } from '../http/failed-check.ts';
import { isRefusal, isSuccess } from '../http/http-status.ts';
import { asObject, readObject } from '../http/json-object.ts';
import {
  createProviderClient,
  outcomeWithoutAnswer,
  type ProviderAnswer,
} from '../http/provider-client.ts';
import { isSameSecret } from '../http/same-secret.ts';
import type { CallbackContent, CallbackRequest, Provider, ProviderCheck } from '../provider.ts';
import { refused, unavailable, unknown } from '../verdict.ts';

export type GreenApiSettings = {
  /** The address that the console shows for the instance; `https://api.green-api.com` by default. */
  url?: string | undefined;
  /** The id of the instance, digits. */
  instanceId: string;
  /** Secret: the token of the instance. The API wants it in the address of each call. */
  token: string;
  /** Secret: our own word, which comes back with each notification. */
  callbackToken: string;
};

const URL_DEFAULT = 'https://api.green-api.com';
/** A group id that does not exist would hold up everything behind it in the provider's queue. */
const GROUP_ID = /^[1-9]\d{9,}(?:-\d+)?@g\.us$/;

const ACCESS = unavailable('Провайдер WhatsApp не принимает ключ доступа');
const AWAY = unavailable('Аккаунт WhatsApp у провайдера не подключён');
const UNCLEAR = unknown('Провайдер WhatsApp ответил непонятно');

const BY_STATUS: ReadonlyMap<number, Outcome> = new Map([
  [401, ACCESS],
  [403, ACCESS],
  [404, unavailable('Адрес провайдера WhatsApp указан неверно')],
  [429, unavailable('Достигнут лимит отправки WhatsApp')],
  [466, unavailable('Исчерпан тариф провайдера WhatsApp')],
  [400, refused('Провайдер WhatsApp не принял сообщение')],
  // Both say that somebody gave up while the call was being worked on.
  [408, UNCLEAR],
  [499, UNCLEAR],
]);

/** With 400 it also says that the instance itself cannot send. */
const INSTANCE_FAULTS: readonly (readonly [RegExp, Outcome])[] = [
  [/instance (?:is|in) starting/i, AWAY],
  [/not authorized/i, AWAY],
  [/instance is deleted/i, AWAY],
  [/account is expired/i, unavailable('Не оплачен аккаунт у провайдера WhatsApp')],
];

const RECEIPTS: ReadonlyMap<unknown, { receipt: Receipt; reason?: string }> = new Map([
  ['delivered', { receipt: 'delivered' }],
  ['read', { receipt: 'read' }],
  ['failed', { receipt: 'failed', reason: 'WhatsApp не доставил сообщение' }],
  ['noAccount', { receipt: 'failed', reason: 'У этого номера нет WhatsApp' }],
  ['notInGroup', { receipt: 'failed', reason: 'Отправитель не состоит в этой группе' }],
  ['yellowCard', { receipt: 'failed', reason: 'WhatsApp приостановил отправку с этого номера' }],
]);

export function openGreenApi(settings: GreenApiSettings, _clock: Clock): Provider {
  const client = createProviderClient({ url: settings.url ?? URL_DEFAULT });
  const pathOf = (method: string) =>
    `/waInstance${settings.instanceId}/${method}/${encodeURIComponent(settings.token)}`;

  return {
    name: 'green-api',
    channel: 'whatsapp',
    carries: new Set<Load>(['code', 'code_with_link', 'text', 'group']),
    receiptsBy: 'id',
    deduplicates: false,
    tellsByRef: false,
    async send({ to, text }, signal) {
      const chatId = chatIdOf(to);
      if (chatId === undefined) return refused('Это не группа WhatsApp');
      const answer = await client.call({
        method: 'POST',
        path: pathOf('sendMessage'),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chatId, message: text, linkPreview: false }),
        signal,
      });
      return readOutcome(answer);
    },
    readCallback: (request) => readCallback(request, settings),
    async check(signal) {
      const path = pathOf('getStateInstance');
      return readState(await client.call({ method: 'GET', path, signal }));
    },
    stop: () => client.close(),
  };
}

function chatIdOf(to: Recipient): string | undefined {
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
  const fault = status === 400 ? INSTANCE_FAULTS.find(([words]) => words.test(text)) : undefined;
  if (fault !== undefined) return fault[1];
  return BY_STATUS.get(status) ?? refused(`Провайдер WhatsApp отказал в отправке (код ${status})`);
}

function readCallback(
  { method, headers, body }: CallbackRequest,
  { instanceId, callbackToken }: GreenApiSettings,
): CallbackContent | undefined {
  const brought = (headers.authorization ?? '').replace(/^Bearer /i, '');
  if (method !== 'POST' || !isSameSecret(brought, callbackToken)) return undefined;
  const notice = readObject(body.toString('utf8')) ?? {};
  const idInstance = asObject(notice.instanceData)?.idInstance;
  const told = RECEIPTS.get(notice.status);
  const isOurs =
    notice.typeWebhook === 'outgoingMessageStatus' &&
    String(idInstance) === instanceId &&
    // Somebody wrote it by hand on the phone.
    notice.sendByApi !== false;
  if (!isOurs || told === undefined || typeof notice.idMessage !== 'string') return { reports: [] };
  return { reports: [{ providerId: notice.idMessage, ...told }] };
}

const CHECK_FAULTS: ReadonlyMap<number, string> = new Map([
  [401, 'Green-API does not accept the token of the instance.'],
  [403, 'Green-API knows no such instance at this address.'],
]);

function readState(answer: ProviderAnswer): ProviderCheck {
  if (answer.kind !== 'answer') return failedCheck('Green-API', answer);
  const state = readObject(answer.text)?.stateInstance;
  if (answer.status !== 200 || typeof state !== 'string') {
    const detail = CHECK_FAULTS.get(answer.status);
    return detail === undefined ? failedCheck('Green-API', answer) : { ok: false, detail };
  }
  return { ok: state === 'authorized', detail: `The instance is ${state}.` };
}
