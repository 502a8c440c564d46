/**
 * Reads the webhooks of Meta's Cloud API: statuses of our messages, and messages from people, which
 * open the window for free text. Follows "Create a webhook endpoint" and "Status messages webhook
 * reference" of the WhatsApp Business Platform.
 */

import { createHmac } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { asObject, type JsonObject, objectsIn, readObject } from '../../json-object.ts';
import { isSameSecret } from '../../token.ts';
import type { Receipt } from '../channel.ts';
import type { CallbackContent, CallbackRequest, Contact, ProviderReport } from '../provider.ts';
import { readRefText } from '../ref-text.ts';
import { failureReason } from './cloud-errors.ts';

export type CallbackSettings = { phoneNumberId: string; appSecret: string; verifyToken: string };

/** `sent` adds nothing to the acceptance, and `played` is for voice messages. */
const RECEIPTS: ReadonlyMap<unknown, Receipt> = new Map([
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['failed', 'failed'],
]);

/** Undefined when it does not come from Meta. */
export function readCloudCallback(
  request: CallbackRequest,
  settings: CallbackSettings,
  clock: Clock,
): CallbackContent | undefined {
  if (request.method === 'GET') return readHandshake(request, settings.verifyToken);
  if (!isSigned(request, settings.appSecret)) return undefined;
  const values = objectsIn(readObject(request.body.toString('utf8'))?.entry)
    .flatMap((entry) => objectsIn(entry.changes))
    .filter((change) => change.field === 'messages')
    .flatMap((change) => objectsIn([change.value]))
    // One app may serve several numbers, all with the same signature.
    .filter(({ metadata }) => asObject(metadata)?.phone_number_id === settings.phoneNumberId);
  return {
    reports: values.flatMap(({ statuses }) => objectsIn(statuses)).flatMap(toReports),
    contacts: values
      .flatMap(({ messages }) => objectsIn(messages))
      .flatMap((message) => windowOpenedBy(message, clock)),
  };
}

/** The handshake by which Meta verifies the callback address when it is entered. */
function readHandshake({ query }: CallbackRequest, token: string): CallbackContent | undefined {
  const challenge = query['hub.challenge'];
  const isSubscribe = query['hub.mode'] === 'subscribe' && challenge !== undefined;
  if (!isSubscribe || !isSameSecret(query['hub.verify_token'] ?? '', token)) return undefined;
  return { reports: [], answer: { contentType: 'text/plain', body: challenge } };
}

function isSigned({ headers, body }: CallbackRequest, appSecret: string): boolean {
  const received = headers['x-hub-signature-256'];
  if (typeof received !== 'string' || appSecret === '') return false;
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return isSameSecret(received, `sha256=${signature}`);
}

function toReports(status: JsonObject): ProviderReport[] {
  const receipt = RECEIPTS.get(status.status);
  if (receipt === undefined) return [];
  const result =
    receipt === 'failed'
      ? { receipt, reason: failureReason(objectsIn(status.errors)[0]?.code) }
      : { receipt };
  const ref = readRefText(status.biz_opaque_callback_data);
  // Messages that others send from the same number have no reference of ours.
  return ref === undefined ? [] : [{ ref, ...result }];
}

/** System notices and group messages open no window. */
function windowOpenedBy({ from, timestamp, type, group_id }: JsonObject, clock: Clock): Contact[] {
  if (type === 'system' || group_id !== undefined) return [];
  const isPhone = typeof from === 'string' && /^\d{7,15}$/.test(from);
  const writtenAtMs = Number(timestamp) * 1_000;
  if (!isPhone || !(writtenAtMs > 0)) return [];
  // A timestamp ahead of our clock must not extend the window.
  const openedAt = new Date(Math.min(writtenAtMs, clock.now().getTime()));
  return [{ kind: 'whatsapp_window', phone: from, openedAt }];
}
