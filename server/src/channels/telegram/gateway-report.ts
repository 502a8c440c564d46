import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Receipt } from '../channel.ts';
import { asObject, type JsonObject, readObject } from '../http/json-object.ts';
import { isSameSecret } from '../http/same-secret.ts';
import type { CallbackContent, CallbackRequest } from '../provider.ts';
import { readRefText } from '../ref-text.ts';

/** An old report that comes again is a replay; clocks differ by less. */
const AGE_SECONDS_MAX = 300;

type DeliveryNews = { receipt: Receipt; reason?: string };

/** `sent` is no news: the acceptance has said so already. */
const NEWS: Readonly<Record<string, DeliveryNews>> = {
  delivered: { receipt: 'delivered' },
  read: { receipt: 'read' },
  expired: { receipt: 'failed', reason: 'Код не доставлен вовремя' },
  revoked: { receipt: 'failed', reason: 'Отправка кода отозвана' },
};

/** What a RequestStatus tells of the delivery; undefined when it is nothing new. */
export function readNews(requestStatus: JsonObject): DeliveryNews | undefined {
  const status = asObject(requestStatus.delivery_status)?.status;
  return typeof status === 'string' && Object.hasOwn(NEWS, status) ? NEWS[status] : undefined;
}

/** Reads a report of the Gateway; undefined when the Gateway has not signed it, or long ago. */
export function readReport(
  request: CallbackRequest,
  { token, clock }: { token: string; clock: Clock },
): CallbackContent | undefined {
  if (request.method !== 'POST' || !isSigned(request, token) || !isFresh(request, clock)) {
    return undefined;
  }
  const requestStatus = readObject(request.body.toString('utf8')) ?? {};
  const ref = readRefText(requestStatus.payload);
  const news = readNews(requestStatus);
  return { reports: ref === undefined || news === undefined ? [] : [{ ref, ...news }] };
}

function isSigned({ headers, body }: CallbackRequest, token: string): boolean {
  const key = createHash('sha256').update(token).digest();
  const signature = createHmac('sha256', key)
    .update(`${headers['x-request-timestamp']}\n`)
    .update(body)
    .digest('hex');
  return isSameSecret(headers['x-request-signature'], signature);
}

function isFresh({ headers }: CallbackRequest, clock: Clock): boolean {
  const stamp = String(headers['x-request-timestamp']);
  if (!/^\d{1,12}$/.test(stamp)) return false;
  return Math.abs(clock.now().getTime() / 1000 - Number(stamp)) <= AGE_SECONDS_MAX;
}
