/**
 * Reads the webhooks of Meta's Cloud API: statuses of messages, and messages of people, which open
 * the window for free text. Follows "Create a webhook endpoint" and "Status messages webhook
 * reference" of the WhatsApp Business Platform.
 */

import { createHmac } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Receipt } from '../channel.ts';
import { asObject, type JsonObject, objectsIn, readObject } from '../http/json-object.ts';
import { isSameSecret } from '../http/same-secret.ts';
import type { CallbackContent, CallbackRequest, Contact, ProviderReport } from '../provider.ts';
import { readRefText } from '../ref-text.ts';
import { failureReason } from './cloud-errors.ts';

export type CallbackSettings = { phoneNumberId: string; appSecret: string; verifyToken: string };

/** `sent` says no more than the answer to the call has said, and `played` is for voice. */
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
    // One app may serve several numbers, and each has the app's signature.
    .filter(({ metadata }) => asObject(metadata)?.phone_number_id === settings.phoneNumberId);
  return {
    reports: values.flatMap(({ statuses }) => objectsIn(statuses)).flatMap(reportOf),
    contacts: values
      .flatMap(({ messages }) => objectsIn(messages))
      .flatMap((message) => windowOpenedBy(message, clock)),
  };
}

/** Meta asks once, when the address is entered, whether it is really ours. */
function readHandshake({ query }: CallbackRequest, token: string): CallbackContent | undefined {
  const challenge = query['hub.challenge'];
  const isAsked = query['hub.mode'] === 'subscribe' && challenge !== undefined;
  if (!isAsked || !isSameSecret(query['hub.verify_token'] ?? '', token)) return undefined;
  return { reports: [], answer: { contentType: 'text/plain', body: challenge } };
}

function isSigned({ headers, body }: CallbackRequest, appSecret: string): boolean {
  const brought = headers['x-hub-signature-256'];
  if (typeof brought !== 'string' || appSecret === '') return false;
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return isSameSecret(brought, `sha256=${signature}`);
}

function reportOf(status: JsonObject): ProviderReport[] {
  const receipt = RECEIPTS.get(status.status);
  if (receipt === undefined) return [];
  const told =
    receipt === 'failed'
      ? { receipt, reason: failureReason(objectsIn(status.errors)[0]?.code) }
      : { receipt };
  const ref = readRefText(status.biz_opaque_callback_data);
  // What somebody else sends from the same number comes without it, or with something of their own.
  return ref === undefined ? [] : [{ ref, ...told }];
}

/** A notice of WhatsApp itself, or a word in a group, opens no window with a person. */
function windowOpenedBy({ from, timestamp, type, group_id }: JsonObject, clock: Clock): Contact[] {
  if (type === 'system' || group_id !== undefined) return [];
  const isWhole = typeof from === 'string' && /^\d{7,15}$/.test(from);
  const writtenAtMs = Number(timestamp) * 1_000;
  if (!isWhole || !(writtenAtMs > 0)) return [];
  // A clock that is ahead of ours must not keep the window open for longer.
  const openedAt = new Date(Math.min(writtenAtMs, clock.now().getTime()));
  return [{ kind: 'whatsapp_window', phone: from, openedAt }];
}
