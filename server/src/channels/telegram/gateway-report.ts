import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { asObject, type JsonObject, readObject } from '../../json-object.ts';
import { isSameSecret } from '../../token.ts';
import type { Receipt } from '../channel.ts';
import type { CallbackContent, CallbackRequest } from '../provider.ts';
import { readRefText } from '../ref-text.ts';

/** An older report is rejected as a replay; clock skew is smaller than this. */
const AGE_SECONDS_MAX = 300;

type DeliveryUpdate = { receipt: Receipt; reason?: string };

/** `sent` is left out: the acceptance already implies it. */
const UPDATES: Readonly<Record<string, DeliveryUpdate>> = {
  delivered: { receipt: 'delivered' },
  read: { receipt: 'read' },
  expired: { receipt: 'failed', reason: 'Код не доставлен вовремя' },
  revoked: { receipt: 'failed', reason: 'Отправка кода отозвана' },
};

/** The receipt in a RequestStatus; undefined when it adds nothing to the acceptance. */
export function findDeliveryUpdate(requestStatus: JsonObject): DeliveryUpdate | undefined {
  const status = asObject(requestStatus.delivery_status)?.status;
  return typeof status === 'string' && Object.hasOwn(UPDATES, status) ? UPDATES[status] : undefined;
}

/** Reads a report of the Gateway; undefined when its signature is wrong or too old. */
export function readReport(
  request: CallbackRequest,
  { token, clock }: { token: string; clock: Clock },
): CallbackContent | undefined {
  if (request.method !== 'POST' || !isSigned(request, token) || !isFresh(request, clock)) {
    return undefined;
  }
  const requestStatus = readObject(request.body.toString('utf8')) ?? {};
  const ref = readRefText(requestStatus.payload);
  const update = findDeliveryUpdate(requestStatus);
  return { reports: ref === undefined || update === undefined ? [] : [{ ref, ...update }] };
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
  const timestamp = String(headers['x-request-timestamp']);
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(clock.now().getTime() / 1000 - Number(timestamp)) <= AGE_SECONDS_MAX;
}
