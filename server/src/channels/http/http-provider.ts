/**
 * A provider that implements the protocol of docs/http-provider.md: a message is a signed JSON
 * POST, and its receipt comes back as another.
 *
 * Left out on purpose: status queries. The other side sends receipts, or none.
 */

import type { Channel } from '@zhiber/contract/api/channel.ts';
import { asObject, type JsonObject, objectsIn, readObject } from '../../json-object.ts';
import { parsePhone } from '../../phone.ts';
import {
  createProviderClient,
  isRefusal,
  isSuccess,
  type ProviderAnswer,
} from '../../runtime/provider-client.ts';
import type { ContentKind, Outcome, OutgoingMessage, Receipt } from '../channel.ts';
import { refused } from '../failed-outcome.ts';
import { readGroupWord } from '../group-word.ts';
import type { GroupClaim, Provider, ProviderBasics, ProviderReport, Stop } from '../provider.ts';
import { readRefText, refText } from '../ref-text.ts';
import { isStopWord } from '../stop-word.ts';
import { failedCheck, outcomeWithoutBody, UNCLEAR_ANSWER } from './provider-answer.ts';
import { displayReason, isProviderId } from './provider-text.ts';
import { isWebhookSigned, readWebhookSecret, signWebhook } from './standard-webhooks.ts';
import { createUnclearLog } from './unclear-log.ts';

export type HttpProviderSettings = {
  /** Unique among the providers; `http-` and the channel when not given. */
  name?: string | undefined;
  channel: Channel;
  /** Where messages are posted, including path and query. */
  url: string;
  /** A secret: `whsec_` and 24 to 64 bytes in base64. Both sides sign with it. */
  secret: string;
  /** The kinds of content it supports; all but `group` by default. */
  carries?: readonly ContentKind[] | undefined;
  /** How many messages a second it takes; without it broadcasts have no limit. */
  ratePerSecond?: number | undefined;
  /** Where receipts are to be posted; part of each message. */
  callbackUrl?: string | undefined;
};

const CARRIES_DEFAULT: readonly ContentKind[] = ['code', 'code_with_link', 'text', 'broadcast'];
const REFUSED = 'Провайдер отказался отправить сообщение';
const FAILED = 'Провайдер не доставил сообщение';
const RECEIPTS: ReadonlySet<unknown> = new Set<Receipt>(['delivered', 'read', 'failed']);

/** Throws when the secret is malformed: nothing could be signed or verified. */
export function openHttpProvider(
  settings: HttpProviderSettings,
  { clock, log }: ProviderBasics,
): Provider {
  const key = readWebhookSecret(settings.secret);
  if (key === undefined) {
    throw new Error('the secret must be whsec_ followed by 24 to 64 bytes in base64');
  }
  const { name = `http-${settings.channel}` } = settings;
  const logUnclear = createUnclearLog({ name, log, settings });
  const { origin, pathname, search } = new URL(settings.url);
  const client = createProviderClient({ url: origin });
  const post = (type: string, content: { id: string; data: object; signal: AbortSignal }) => {
    const at = clock.now();
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data: content.data });
    return client.call({
      method: 'POST',
      path: pathname + search,
      headers: {
        'content-type': 'application/json',
        ...signWebhook(key, { id: content.id, body, at }),
      },
      body,
      signal: content.signal,
    });
  };

  return {
    name,
    channel: settings.channel,
    carries: new Set(settings.carries ?? CARRIES_DEFAULT),
    ratePerSecond: settings.ratePerSecond,
    receiptKey: 'ref',
    // Required by the protocol: a repeated id is answered, and not sent again.
    deduplicates: true,
    canQueryByRef: false,
    async send(message, signal) {
      // A signed id must not contain a dot, which separates it from the timestamp.
      const id = refText(message.ref).replaceAll('.', '_');
      const answer = await post('message.send', { id, data: toPayload(message, settings), signal });
      return logUnclear(readSent(answer), answer, message);
    },
    readCallback({ headers, body }) {
      if (!isWebhookSigned(key, { headers, body, now: clock.now() })) return undefined;
      const content = readObject(body.toString());
      const claim = readClaim(content?.group_message, settings.channel);
      if (claim !== undefined) return { reports: [], claim };
      const stop = readStop(content?.person_message);
      if (stop !== undefined) return { reports: [], stops: [stop] };
      const receipts = Array.isArray(content?.receipts) ? content.receipts : [content];
      return { reports: objectsIn(receipts).flatMap((one) => readReport(one, settings.channel)) };
    },
    // The protocol does not tell which account people add to a group.
    ...(settings.carries?.includes('group') && { readGroupAccount: async () => undefined }),
    async check(signal) {
      const title = `The provider at ${origin}`;
      const id = `ping_${clock.now().getTime()}`;
      const answer = await post('ping', { id, data: {}, signal });
      return answer.kind === 'answer' && isSuccess(answer.status)
        ? { ok: true, detail: `${title} answers a signed ping.` }
        : failedCheck(title, answer);
    },
    stop: () => client.close(),
  };
}

function toPayload(
  message: OutgoingMessage,
  { channel, callbackUrl }: HttpProviderSettings,
): object {
  const { ref, to, content, text, code, link, language, ttlSeconds, sender, template } = message;
  return {
    reference: refText(ref),
    channel,
    ...('phone' in to ? { to: `+${to.phone}` } : { group: to.group }),
    kind: content,
    text,
    code,
    link,
    language,
    expires_in: ttlSeconds,
    sender: channel === 'sms' ? sender : undefined,
    template: channel === 'whatsapp' ? template : undefined,
    callback_url: callbackUrl,
  };
}

function readSent(answer: ProviderAnswer): Outcome {
  const definite = outcomeWithoutBody(answer);
  if (answer.kind !== 'answer' || definite !== UNCLEAR_ANSWER) return definite;
  const isRefused = isRefusal(answer.status);
  if (!isRefused && !isSuccess(answer.status)) return UNCLEAR_ANSWER;

  const { accepted, id, reason } = readObject(answer.text) ?? {};
  if (isRefused || accepted === false) {
    const reasonText = accepted === false ? reason : undefined;
    return refused(displayReason(reasonText) ?? REFUSED);
  }
  return accepted === true && isProviderId(id)
    ? { result: 'accepted', providerId: id }
    : UNCLEAR_ANSWER;
}

/** A message in a group that is nothing but a word from the cabinet. */
function readClaim(value: unknown, channel: Channel): GroupClaim | undefined {
  const { group, title, text } = asObject(value) ?? {};
  const word = readGroupWord(text);
  if (channel === 'sms' || word === undefined || !isProviderId(group)) return undefined;
  return { channel, chatId: group, title: String(title ?? ''), word };
}

/** A message from a phone that is nothing but a stop word. */
function readStop(value: unknown): Stop | undefined {
  const { from, text } = asObject(value) ?? {};
  const phone = typeof from === 'string' ? parsePhone(from)?.phone : undefined;
  return phone !== undefined && isStopWord(text) ? { phone } : undefined;
}

function readReport({ reference, status, reason }: JsonObject, channel: Channel): ProviderReport[] {
  if (!RECEIPTS.has(status)) return [];
  // Nobody can tell whether an SMS was read.
  const receipt = channel === 'sms' && status === 'read' ? 'delivered' : (status as Receipt);
  const reasonText = receipt === 'failed' ? (displayReason(reason) ?? FAILED) : undefined;
  const content = reasonText === undefined ? { receipt } : { receipt, reason: reasonText };
  const ref = readRefText(reference);
  return ref === undefined ? [] : [{ ref, ...content }];
}
