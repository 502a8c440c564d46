/**
 * Sends codes through the Telegram Gateway, which finds people by phone and charges for each code.
 * Follows core.telegram.org/gateway/api and core.telegram.org/gateway/verification-tutorial.
 *
 * Left out on purpose: `checkSendAbility`, which charges for the check alone; codes that Telegram
 * generates itself; `revokeVerificationMessage`, which does not remove a delivered code.
 */

import { asObject, type JsonObject, readObject } from '../../json-object.ts';
import {
  createProviderClient,
  isRefusal,
  isSuccess,
  type ProviderAnswer,
} from '../../runtime/provider-client.ts';
import type { Outcome, OutgoingMessage, StatusQuery } from '../channel.ts';
import { refused } from '../failed-outcome.ts';
import { failedCheck, isLoopback, outcomeWithoutAnswer } from '../http/provider-answer.ts';
import { createUnclearLog } from '../http/unclear-log.ts';
import type { Provider, ProviderBasics, ProviderCheck, ProviderStatus } from '../provider.ts';
import { refText } from '../ref-text.ts';
import { outcomeForError } from './gateway-errors.ts';
import { findDeliveryUpdate, readReport } from './gateway-report.ts';
import { TOO_FAST, UNCLEAR } from './outcomes.ts';

export type TelegramGatewaySettings = {
  /** The address of the Gateway, when not the public one. */
  url?: string | undefined;
  /** The API token of the Gateway account. Secret. */
  token: string;
  /** A verified channel of the account, as the sender of codes; Telegram's own when not given. */
  senderUsername?: string | undefined;
  /** Where reports go; HTTPS only. Without it the delivery status has to be queried. */
  callbackUrl?: string | undefined;
};

type Ask = (method: string, parameters: object, signal: AbortSignal) => Promise<ProviderAnswer>;

const PUBLIC_URL = 'https://gatewayapi.telegram.org';
const CODE = /^[0-9]{4,8}$/;
const TTL_SECONDS = { min: 30, max: 3_600 };
/** An id that no request has. */
const NO_REQUEST_ID = '0';

const NAME = 'telegram-gateway';

export function openTelegramGateway(
  settings: TelegramGatewaySettings,
  { clock, log }: ProviderBasics,
): Provider {
  const logUnclear = createUnclearLog({ name: NAME, log, settings });
  const client = createProviderClient({ url: settings.url ?? PUBLIC_URL });
  const headers = {
    authorization: `Bearer ${settings.token}`,
    'content-type': 'application/json',
  };
  const ask: Ask = (method, parameters, signal) => {
    const body = JSON.stringify(parameters);
    return client.call({ method: 'POST', path: `/${method}`, headers, body, signal });
  };

  return {
    name: NAME,
    channel: 'telegram',
    carries: new Set(['code']),
    receiptKey: 'ref',
    deduplicates: false,
    canQueryByRef: false,
    async send(message, signal) {
      const parameters = verificationMessage(message, settings);
      if (parameters === undefined) return CODES_ONLY;
      const answer = await ask('sendVerificationMessage', parameters, signal);
      return logUnclear(outcomeOf(answer), answer, message);
    },
    readStatus: (question, signal) => readStatus(ask, question, signal),
    readCallback: (request) => readReport(request, { token: settings.token, clock }),
    check: (signal) => check(ask, signal),
    // Telegram asks senders that generate their own codes for this, for its conversion metrics.
    async reportVerified({ providerId, code }, signal) {
      await ask('checkVerificationStatus', { request_id: providerId, code }, signal);
    },
    stop: () => client.close(),
  };
}

const CODES_ONLY = refused('Telegram Gateway доставляет только код из 4–8 цифр на номер телефона');

/** Undefined when the Gateway cannot carry the message. */
function verificationMessage(
  { to, content, code, ref, ttlSeconds = TTL_SECONDS.max }: OutgoingMessage,
  settings: TelegramGatewaySettings,
): object | undefined {
  if (!('phone' in to) || content !== 'code' || code === undefined || !CODE.test(code)) {
    return undefined;
  }
  return {
    phone_number: `+${to.phone}`,
    code,
    // With a ttl the fee is refunded when the code does not arrive in time; without one, never.
    ttl: Math.min(Math.max(Math.floor(ttlSeconds), TTL_SECONDS.min), TTL_SECONDS.max),
    payload: refText(ref),
    sender_username: settings.senderUsername,
    callback_url: callableUrl(settings),
  };
}

/**
 * Telegram calls back over HTTPS only, and rejects a code with any other address. A Gateway on this
 * machine is a simulator, which calls back to this machine over HTTP.
 */
function callableUrl({ callbackUrl, url = PUBLIC_URL }: TelegramGatewaySettings) {
  if (callbackUrl === undefined) return undefined;
  const isCallable =
    callbackUrl.startsWith('https:') || (isLoopback(callbackUrl) && isLoopback(url));
  return isCallable ? callbackUrl : undefined;
}

type Reply = { ok: true; result: JsonObject } | { ok: false; error: string };

/**
 * The reply of the Gateway; undefined when there is none, or it came from something else. `ok` is
 * documented to distinguish success from error; the HTTP status of errors is not documented.
 */
function readReply(answer: ProviderAnswer): Reply | undefined {
  if (answer.kind !== 'answer') return undefined;
  const { status, text } = answer;
  const { ok, result, error } = readObject(text) ?? {};
  const isError = ok === false && (isSuccess(status) || isRefusal(status));
  if (isError && typeof error === 'string') return { ok, error };
  const found = asObject(result);
  return ok === true && found !== undefined && isSuccess(status)
    ? { ok, result: found }
    : undefined;
}

function outcomeOf(answer: ProviderAnswer): Outcome {
  if (answer.kind !== 'answer') return outcomeWithoutAnswer(answer);
  if (answer.status === 429) return TOO_FAST;
  const reply = readReply(answer);
  if (reply?.ok === false) return outcomeForError(reply.error);
  const providerId = reply?.result.request_id;
  return typeof providerId === 'string' && providerId !== ''
    ? { result: 'accepted', providerId }
    : UNCLEAR;
}

/** The Gateway can be queried by its own ids only. */
async function readStatus(
  ask: Ask,
  { providerId }: StatusQuery,
  signal: AbortSignal,
): Promise<ProviderStatus> {
  if (providerId === undefined) return { known: 'unclear' };
  const reply = readReply(await ask('checkVerificationStatus', { request_id: providerId }, signal));
  if (reply?.ok !== true || reply.result.request_id !== providerId) return { known: 'unclear' };
  return { known: 'accepted', providerId, receipt: findDeliveryUpdate(reply.result)?.receipt };
}

/**
 * No method reads the account alone, and those that send or test a phone cost money. A query for a
 * request that does not exist is free, and its error shows whether the token is accepted.
 */
async function check(ask: Ask, signal: AbortSignal): Promise<ProviderCheck> {
  const answer = await ask('checkVerificationStatus', { request_id: NO_REQUEST_ID }, signal);
  const reply = readReply(answer);
  const error = reply?.ok === false ? reply.error : undefined;
  if (reply?.ok === true || error === 'REQUEST_ID_INVALID') {
    return { ok: true, detail: 'The Gateway accepts the token; it has no balance query.' };
  }
  return failedCheck('Telegram', answer, error);
}
