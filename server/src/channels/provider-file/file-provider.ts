/**
 * A provider that a file describes: docs/provider-files.md.
 *
 * Left out on purpose: requests that have to be signed, tokens that have to be asked for first,
 * other encodings than UTF-8, and groups.
 */

import type {
  ProviderDescription,
  RequestDescription,
} from '../../config/provider-file/description.ts';
import {
  createProviderClient,
  type ProviderAnswer,
  type ProviderClient,
} from '../../runtime/provider-client.ts';
import type { OutgoingMessage } from '../channel.ts';
import { refused } from '../failed-outcome.ts';
import { failedCheck } from '../http/provider-answer.ts';
import { createUnclearLog } from '../http/unclear-log.ts';
import type { Provider, ProviderBasics, ProviderCheck } from '../provider.ts';
import { shortRefText } from '../short-ref.ts';
import { readBalance, readSent, readStatusAnswer } from './read-answer.ts';
import { readCallback } from './read-callback.ts';
import { fill, type ReadValue, renderRequest } from './render-request.ts';

export type FileProviderSettings = {
  description: ProviderDescription;
  /** Their values by the names in `{{secret.NAME}}`. */
  secrets: Readonly<Record<string, string>>;
  /** Where receipts are posted, without a secret in the path. */
  callbackUrl?: string | undefined;
};

/** The parts of a message that placeholders stand for. */
type SentParts = Pick<
  OutgoingMessage,
  'ref' | 'text' | 'code' | 'link' | 'sender' | 'ttlSeconds' | 'language'
>;

const SECRET = 'secret.';
const NOT_FOR_GROUPS = refused('Провайдер не отправляет сообщения в группы');
const UNWRITABLE = refused('Сообщение содержит знаки, которые провайдер не принимает');

export function openFileProvider(
  settings: FileProviderSettings,
  { log }: Pick<ProviderBasics, 'log'>,
): Provider {
  const { description } = settings;
  const { name } = description;
  const logUnclear = createUnclearLog({ name, log, settings: settings.secrets });
  const { send, status, receipts, balance } = description;
  const readSecret: ReadValue = (placeholder) =>
    placeholder.startsWith(SECRET) ? settings.secrets[placeholder.slice(SECRET.length)] : undefined;
  const clients = new Map<string, ProviderClient>();
  const call = async (
    request: RequestDescription,
    values: Readonly<Record<string, string | undefined>>,
    signal: AbortSignal,
  ): Promise<ProviderAnswer | undefined> => {
    const rendered = renderRequest(request, (one) => readSecret(one) ?? values[one]);
    const client = clients.get(request.origin);
    return rendered && (await client?.call({ ...rendered, signal }));
  };
  for (const request of [send.request, status?.request, balance?.request]) {
    if (request === undefined || clients.has(request.origin)) continue;
    const connections = description.inFlightMax;
    clients.set(
      request.origin,
      createProviderClient({ url: request.origin, ...(connections && { connections }) }),
    );
  }

  return {
    name,
    channel: description.channel,
    carries: new Set(description.carries),
    ratePerSecond: description.ratePerSecond,
    inFlightMax: description.inFlightMax,
    receiptKey: receiptKeyOf(description),
    ...(description.idsRepeat && { idsRepeat: true }),
    deduplicates: send.ignoresRepeats,
    canQueryByRef: status?.isByReference === true,
    async send(message, signal) {
      if (!('phone' in message.to)) return NOT_FOR_GROUPS;
      const callbackUrl = receipts && callbackUrlOf(settings, readSecret);
      const values = valuesOf(message, { to: message.to.phone, description, callbackUrl });
      const answer = await call(send.request, values, signal);
      if (answer === undefined) return UNWRITABLE;
      return logUnclear(readSent(answer, send.answer, values.id), answer, message);
    },
    ...(status && {
      async readStatus({ ref, providerId, to }, signal) {
        const id = shortRefText(ref);
        const values = { id, provider_id: providerId, ...phonesOf(to) };
        // Without the id that the request needs it cannot be written.
        const answer = await call(status.request, values, signal);
        if (answer === undefined) return { known: 'unclear' };
        return readStatusAnswer(answer, status.answer, { ownId: id, providerId });
      },
    }),
    ...(receipts && {
      hasPathSecret: receipts.proof.kind === 'path',
      readCallback: (request) => readCallback(request, receipts, readSecret),
    }),
    async check(signal) {
      if (balance === undefined) return NOT_ASKED;
      const answer = await call(balance.request, {}, signal);
      const amount = answer && readBalance(answer, balance.answer);
      if (amount !== undefined) {
        return {
          ok: true,
          detail: `The gateway works; the balance is ${amount}.`,
          balance: amount,
        };
      }
      const unwritable = { kind: 'not_sent', why: 'the request cannot be written' } as const;
      return failedCheck('The gateway', answer ?? unwritable);
    },
    async stop() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

const NOT_ASKED: ProviderCheck = {
  ok: true,
  warning: true,
  detail: 'Not asked: the file has no "balance", by which the gateway could be checked.',
};

function receiptKeyOf({ receipts, status }: ProviderDescription): Provider['receiptKey'] {
  if (receipts === undefined) return status === undefined ? 'none' : 'ref';
  return receipts.key.by === 'id' ? 'id' : 'ref';
}

/** Where receipts are to be sent, with the secret that proves them. */
export function callbackUrlOf(
  { description, callbackUrl }: Pick<FileProviderSettings, 'description' | 'callbackUrl'>,
  readSecret: ReadValue,
): string | undefined {
  const proof = description.receipts?.proof;
  if (callbackUrl === undefined || proof?.kind !== 'path') return callbackUrl;
  return `${callbackUrl}/${encodeURIComponent(fill(proof.secret, readSecret) ?? '')}`;
}

function phonesOf(phone: string) {
  return { phone, phone_plus: `+${phone}` };
}

/** The values of the placeholders of a send. */
export function valuesOf(
  { ref, text, code, link, sender, ttlSeconds, language }: SentParts,
  {
    to,
    description,
    callbackUrl,
  }: { to: string; description: ProviderDescription; callbackUrl: string | undefined },
) {
  return {
    ...phonesOf(to),
    id: shortRefText(ref),
    text,
    code,
    link,
    sender: sender ?? description.sender,
    ttl_seconds: ttlSeconds?.toFixed(0),
    ttl_minutes:
      ttlSeconds === undefined ? undefined : String(Math.max(1, Math.floor(ttlSeconds / 60))),
    language,
    callback_url: callbackUrl,
  };
}
