/**
 * SMS through Mobizon's API v1 (mobizon.kz/help/api-docs: sms-api, message, user, webhooks, other).
 * The key is in the query of every call, and nowhere else.
 *
 * Left out on purpose: campaigns, deferred sending, and the task queue behind code 100, which may
 * finish long after the code has expired; and webhooks in any format but JSON.
 */

import { createHash } from 'node:crypto';
import { asObject, type JsonObject, objectsIn, readObject } from '../../json-object.ts';
import {
  createProviderClient,
  type ProviderAnswer,
  readAnswerBody,
} from '../../runtime/provider-client.ts';
import { isSameSecret } from '../../token.ts';
import type { Outcome } from '../channel.ts';
import { refused, unknown } from '../failed-outcome.ts';
import { failedCheck, outcomeWithoutBody, UNCLEAR_ANSWER } from '../http/provider-answer.ts';
import { createUnclearLog } from '../http/unclear-log.ts';
import type { Provider, ProviderBasics, ProviderCheck, ProviderStatus } from '../provider.ts';
import { balanceText } from './balance-text.ts';
import {
  MOBIZON_CODES,
  MOBIZON_FIELDS,
  MOBIZON_STATUSES,
  MOBIZON_UNDER_WAY,
} from './mobizon-tables.ts';
import { NOT_FOR_GROUPS, refusedWith } from './refusals.ts';

export type MobizonSettings = {
  /** The address of the API; https://api.mobizon.kz when not given. */
  url?: string | undefined;
  /** A secret. */
  apiKey: string;
  /** The registered sender name; Mobizon's default of the account when not given. */
  sender?: string | undefined;
  /** A secret: the key that webhooks are signed with. Without it they are all refused. */
  callbackSecret?: string | undefined;
  /** As agreed; without it broadcasts have no limit. */
  ratePerSecond?: number | undefined;
};

const URL_DEFAULT = 'https://api.mobizon.kz';
/** The minimum that Mobizon allows; a code expires even sooner. */
const VALIDITY_MINUTES = '60';
const CODE_OK = '0';
const CODE_VALIDATION = '1';
/** The `status` in the answer to a send. */
const SENDING_MODERATED = '1';
const SENDING_SENT = '2';

const NAME = 'mobizon';

export function openMobizon(settings: MobizonSettings, { log }: ProviderBasics): Provider {
  const logUnclear = createUnclearLog({ name: NAME, log, settings });
  const client = createProviderClient({ url: settings.url ?? URL_DEFAULT });
  const query = new URLSearchParams({ output: 'json', api: 'v1', apiKey: settings.apiKey });
  const post = (method: string, fields: Record<string, string>, signal: AbortSignal) =>
    client.call({
      method: 'POST',
      path: `/service/${method}?${query}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
      signal,
    });

  return {
    name: NAME,
    channel: 'sms',
    carries: new Set(['code', 'code_with_link', 'text', 'broadcast']),
    ratePerSecond: settings.ratePerSecond,
    receiptKey: 'id',
    deduplicates: false,
    canQueryByRef: false,
    async send(message, signal) {
      const { to, text, sender = settings.sender } = message;
      if (!('phone' in to)) return NOT_FOR_GROUPS;
      const answer = await post(
        'message/sendSmsMessage',
        {
          recipient: to.phone,
          text,
          ...(sender === undefined ? {} : { from: sender }),
          'params[validity]': VALIDITY_MINUTES,
          'params[shortenLinks]': '0',
        },
        signal,
      );
      return logUnclear(readSent(answer), answer, message);
    },
    async readStatus({ providerId }, signal) {
      if (providerId === undefined) return { known: 'unclear' };
      const answer = await post('message/getSMSStatus', { ids: providerId }, signal);
      return parseStatus(providerId, readAnswerBody(answer));
    },
    readCallback({ body }) {
      const event = readObject(body.toString());
      if (event === undefined || !isSigned(event, settings.callbackSecret)) return undefined;
      return { reports: [], unproven: readMessageIds(event) };
    },
    async check(signal) {
      return readBalance(await post('user/getOwnBalance', {}, signal));
    },
    stop: () => client.close(),
  };
}

function readSent(answer: ProviderAnswer): Outcome {
  const body = readAnswerBody(answer);
  if (body === undefined) return outcomeWithoutBody(answer);
  const code = toDigits(body.code);
  if (code === undefined) return UNCLEAR_ANSWER;
  if (code !== CODE_OK) return readRefusal(code, body.data);

  const { messageId, status } = asObject(body.data) ?? {};
  const providerId = toDigits(messageId);
  const sendStatus = toDigits(status);
  // A moderator may release it at any later time: it is neither sent nor refused.
  if (sendStatus === SENDING_MODERATED) {
    return unknown('Оператор SMS проверяет сообщение вручную');
  }
  return providerId !== undefined && sendStatus === SENDING_SENT
    ? { result: 'accepted', providerId }
    : UNCLEAR_ANSWER;
}

function readRefusal(code: string, details: unknown): Outcome {
  if (code === CODE_VALIDATION) {
    const field = Object.keys(asObject(details) ?? {}).find((name) =>
      Object.hasOwn(MOBIZON_FIELDS, name),
    );
    const reason = field === undefined ? undefined : MOBIZON_FIELDS[field];
    if (reason !== undefined) return refused(reason);
  }
  return MOBIZON_CODES[code] ?? refusedWith(code);
}

function parseStatus(id: string, body: JsonObject | undefined): ProviderStatus {
  const row = objectsIn(body?.data).find((one) => toDigits(one.id) === id);
  const status = toText(row?.status);
  // Mobizon issued this id, so a missing status is no proof that nothing was sent.
  if (toDigits(body?.code) !== CODE_OK || !/^[A-Z]+$/.test(status)) return { known: 'unclear' };
  if (MOBIZON_UNDER_WAY.has(status)) return { known: 'accepted', providerId: id };
  const final = MOBIZON_STATUSES[status];
  return final === undefined
    ? { known: 'unclear' }
    : { known: 'accepted', providerId: id, ...final };
}

function isSigned(event: JsonObject, secret: string | undefined): boolean {
  if (secret === undefined || secret === '') return false;
  const { eventId, attempt, eventCreateTs, sign } = event;
  const signed = [eventId, attempt, eventCreateTs, secret].map(toText).join('|');
  return isSameSecret(toText(sign).toLowerCase(), createHash('sha1').update(signed).digest('hex'));
}

/** Only the id is read: the signature covers the event, but not the reported status. */
function readMessageIds({ eventType, data }: JsonObject): string[] {
  const id = eventType === 'sms-delivery-report' ? toDigits(asObject(data)?.messageId) : undefined;
  return id === undefined ? [] : [id];
}

function readBalance(answer: ProviderAnswer): ProviderCheck {
  const body = readAnswerBody(answer);
  if (body === undefined) return failedCheck('Mobizon', answer);
  const code = toDigits(body.code);
  if (code === '8' || code === '9') {
    return { ok: false, detail: 'Mobizon did not accept the API key.' };
  }
  if (code === '13')
    return { ok: false, detail: 'Mobizon serves this account at another address.' };
  const balance = balanceText(asObject(body.data) ?? {});
  if (code !== CODE_OK || balance === undefined) {
    return { ok: false, detail: `Mobizon did not return the balance (code ${code ?? 'unknown'}).` };
  }
  return { ok: true, detail: `Mobizon works; the balance is ${balance}.`, balance };
}

/** Ids and codes come as numbers or as strings. */
function toDigits(value: unknown): string | undefined {
  const text = toText(value);
  return /^\d{1,20}$/.test(text) ? text : undefined;
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
