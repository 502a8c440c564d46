/**
 * Reads the webhooks of Meta's Cloud API: statuses of our messages, and messages from people, which
 * open the window for free text. Follows "Create a webhook endpoint" and "Status messages webhook
 * reference" of the WhatsApp Business Platform.
 */

import { createHmac } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { asObject, type JsonObject, objectsIn, readObject } from '../../json-object.ts';
import { parsePhone } from '../../phone.ts';
import { isSameSecret } from '../../token.ts';
import type { KnownReceipt, Receipt } from '../channel.ts';
import type {
  CallbackContent,
  CallbackRequest,
  Contact,
  ProviderReport,
  Stop,
  UnnamedReport,
} from '../provider.ts';
import { readRefText } from '../ref-text.ts';
import { isStopWord } from '../stop-word.ts';
import { failureReason, USER_STOPPED } from './cloud-errors.ts';
import { type CloudHealth, HEALTH_FIELDS } from './cloud-health.ts';

export type CallbackSettings = {
  phoneNumberId: string;
  wabaId?: string | undefined;
  appSecret: string;
  verifyToken: string;
};

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
  { clock, hear }: { clock: Clock; hear: CloudHealth['hear'] },
): CallbackContent | undefined {
  if (request.method === 'GET') return readHandshake(request, settings.verifyToken);
  if (!isSigned(request, settings.appSecret)) return undefined;
  const entries = objectsIn(readObject(request.body.toString('utf8'))?.entry);
  for (const entry of entries) hearOfAccount(entry, settings.wabaId, hear);
  const values = entries
    .flatMap((entry) => objectsIn(entry.changes))
    .filter((change) => change.field === 'messages')
    .flatMap((change) => objectsIn([change.value]))
    // One app may serve several numbers, all with the same signature.
    .filter(({ metadata }) => asObject(metadata)?.phone_number_id === settings.phoneNumberId);
  const statuses = values.flatMap((value) => objectsIn(value.statuses));
  const messages = values.flatMap((value) => objectsIn(value.messages)).filter(isPersonal);
  const stops = [...statuses.flatMap(stopIn), ...messages.flatMap(stopFrom)];
  const unnamed = statuses.flatMap(toUnnamed);
  return {
    reports: statuses.flatMap(toReports),
    ...(unnamed.length > 0 && { unnamed }),
    contacts: messages.flatMap((message) => windowOpenedBy(message, clock)),
    ...(stops.length > 0 && { stops }),
  };
}

/** News of the templates and of the account. An app may serve several accounts. */
function hearOfAccount(
  { id, time, changes }: JsonObject,
  wabaId: string | undefined,
  hear: CloudHealth['hear'],
): void {
  if (wabaId !== undefined && id !== wabaId) return;
  for (const { field, value } of objectsIn(changes)) {
    const news = asObject(value);
    if (!HEALTH_FIELDS.has(field) || news === undefined) continue;
    hear(String(field), news, Number(time) || 0);
  }
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
  const known = readReceipt(status);
  const ref = readRefText(status.biz_opaque_callback_data);
  return known === undefined || ref === undefined ? [] : [{ ref, ...known }];
}

/**
 * A status without our reference: of a message that another system sends from the same number, or one
 * of ours, whose reference Meta has left out.
 */
function toUnnamed(status: JsonObject): UnnamedReport[] {
  const { id: providerId, recipient_id, biz_opaque_callback_data } = status;
  const known = readReceipt(status);
  const phone = parsePhone(`+${recipient_id}`)?.phone;
  if (known === undefined || readRefText(biz_opaque_callback_data) !== undefined) return [];
  if (typeof providerId !== 'string' || phone === undefined) return [];
  return [{ providerId, phone, ...known, ...(isStopped(status) && { isUnsubscribed: true }) }];
}

function readReceipt({ status, errors }: JsonObject): KnownReceipt | undefined {
  const receipt = RECEIPTS.get(status);
  if (receipt !== 'failed') return receipt && { receipt };
  return { receipt, reason: failureReason(objectsIn(errors)[0]?.code) };
}

/** The person has switched marketing messages off: the failure of one says so. */
function isStopped({ status, errors }: JsonObject): boolean {
  return status === 'failed' && objectsIn(errors)[0]?.code === USER_STOPPED;
}

function stopIn(status: JsonObject): Stop[] {
  const ref = readRefText(status.biz_opaque_callback_data);
  return isStopped(status) && ref !== undefined ? [{ ref }] : [];
}

/** A stop word, typed or on a button of a template. */
function stopFrom({ from, text, button }: JsonObject): Stop[] {
  const phone = parsePhone(`+${from}`)?.phone;
  const isStop = isStopWord(asObject(text)?.body) || isStopWord(asObject(button)?.text);
  return isStop && phone !== undefined ? [{ phone }] : [];
}

/** Not a system notice, and not posted in a group. */
function isPersonal({ type, group_id }: JsonObject): boolean {
  return type !== 'system' && group_id === undefined;
}

function windowOpenedBy({ from, timestamp }: JsonObject, clock: Clock): Contact[] {
  const isPhone = typeof from === 'string' && /^\d{7,15}$/.test(from);
  const writtenAtMs = Number(timestamp) * 1_000;
  if (!isPhone || !(writtenAtMs > 0)) return [];
  // A timestamp ahead of our clock must not extend the window.
  const openedAt = new Date(Math.min(writtenAtMs, clock.now().getTime()));
  return [{ kind: 'whatsapp_window', phone: from, openedAt }];
}
