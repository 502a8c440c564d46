/**
 * Codes through the Telegram Gateway, which finds people by their phone and takes a fee for each
 * code. Follows core.telegram.org/gateway/api and core.telegram.org/gateway/verification-tutorial.
 *
 * Left out on purpose: `checkSendAbility`, which charges for the question alone; codes that
 * Telegram makes up itself; `revokeVerificationMessage`, which leaves a delivered code where it is.
 */

import type { Clock } from '../../clock.ts';
import type { Outcome, OutgoingMessage, StatusQuestion } from '../channel.ts';
import { failedCheck } from '../http/failed-check.ts';
import { isRefusal, isSuccess } from '../http/http-status.ts';
import { asObject, type JsonObject, readObject } from '../http/json-object.ts';
import { isLoopback } from '../http/loopback.ts';
import {
  createProviderClient,
  outcomeWithoutAnswer,
  type ProviderAnswer,
} from '../http/provider-client.ts';
import type { Provider, ProviderCheck, ProviderStatus } from '../provider.ts';
import { refText } from '../ref-text.ts';
import { refused } from '../verdict.ts';
import { refusalOf } from './gateway-errors.ts';
import { readNews, readReport } from './gateway-report.ts';
import { TOO_FAST, UNCLEAR } from './outcomes.ts';

export type TelegramGatewaySettings = {
  /** Where the Gateway is, when not at its public address. */
  url?: string | undefined;
  /** The API token of the Gateway account. Secret. */
  token: string;
  /** A verified channel of the account that codes come from; Telegram's own when not given. */
  senderUsername?: string | undefined;
  /** Where reports go, if over HTTPS; without that the delivery can only be asked for. */
  callbackUrl?: string | undefined;
};

type Ask = (method: string, parameters: object, signal: AbortSignal) => Promise<ProviderAnswer>;

const PUBLIC_URL = 'https://gatewayapi.telegram.org';
const CODE = /^[0-9]{4,8}$/;
const TTL_SECONDS = { min: 30, max: 3_600 };
/** Telegram never gave this id to anybody. */
const NO_REQUEST_ID = '0';

export function openTelegramGateway(settings: TelegramGatewaySettings, clock: Clock): Provider {
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
    name: 'telegram-gateway',
    channel: 'telegram',
    carries: new Set(['code']),
    receiptsBy: 'ref',
    deduplicates: false,
    tellsByRef: false,
    async send(message, signal) {
      const parameters = verificationMessage(message, settings);
      if (parameters === undefined) return CODES_ONLY;
      return outcomeOf(await ask('sendVerificationMessage', parameters, signal));
    },
    readStatus: (question, signal) => readStatus(ask, question, signal),
    readCallback: (request) => readReport(request, { token: settings.token, clock }),
    check: (signal) => check(ask, signal),
    // Telegram asks this of those who make up codes themselves, for its conversion figures.
    async reportVerified({ providerId, code }, signal) {
      await ask('checkVerificationStatus', { request_id: providerId, code }, signal);
    },
    stop: () => client.close(),
  };
}

const CODES_ONLY = refused('Telegram Gateway доставляет только код из 4–8 цифр на номер телефона');

/** Undefined for what the Gateway does not carry. */
function verificationMessage(
  { to, load, code, ref, ttlSeconds = TTL_SECONDS.max }: OutgoingMessage,
  settings: TelegramGatewaySettings,
): object | undefined {
  if (!('phone' in to) || load !== 'code' || code === undefined || !CODE.test(code)) {
    return undefined;
  }
  return {
    phone_number: `+${to.phone}`,
    code,
    // With it the fee comes back when the code does not arrive in time, and without it never.
    ttl: Math.min(Math.max(Math.floor(ttlSeconds), TTL_SECONDS.min), TTL_SECONDS.max),
    payload: refText(ref),
    sender_username: settings.senderUsername,
    callback_url: callableUrl(settings),
  };
}

/**
 * Telegram calls HTTPS alone, and takes no code with another address in it. A Gateway on this
 * machine is a simulator, which calls other servers on this machine over HTTP.
 */
function callableUrl({ callbackUrl, url = PUBLIC_URL }: TelegramGatewaySettings) {
  if (callbackUrl === undefined) return undefined;
  const isCallable =
    callbackUrl.startsWith('https:') || (isLoopback(callbackUrl) && isLoopback(url));
  return isCallable ? callbackUrl : undefined;
}

type Reply = { ok: true; result: JsonObject } | { ok: false; error: string };

/**
 * What the Gateway itself said; undefined when something else spoke, or nobody. It is documented
 * that `ok` tells success from error, but not with which HTTP status errors come.
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
  if (reply?.ok === false) return refusalOf(reply.error);
  const providerId = reply?.result.request_id;
  return typeof providerId === 'string' && providerId !== ''
    ? { result: 'accepted', providerId }
    : UNCLEAR;
}

/** The Gateway knows its own ids only: without one it cannot be asked. */
async function readStatus(
  ask: Ask,
  { providerId }: StatusQuestion,
  signal: AbortSignal,
): Promise<ProviderStatus> {
  if (providerId === undefined) return { known: 'unclear' };
  const reply = readReply(await ask('checkVerificationStatus', { request_id: providerId }, signal));
  if (reply?.ok !== true || reply.result.request_id !== providerId) return { known: 'unclear' };
  return { known: 'accepted', providerId, receipt: readNews(reply.result)?.receipt };
}

/**
 * No call tells of the account alone, and those that send or test a phone cost money. Asking for a
 * request that does not exist is free, and the error shows whether the token was taken.
 */
async function check(ask: Ask, signal: AbortSignal): Promise<ProviderCheck> {
  const answer = await ask('checkVerificationStatus', { request_id: NO_REQUEST_ID }, signal);
  const reply = readReply(answer);
  const error = reply?.ok === false ? reply.error : undefined;
  if (reply?.ok === true || error === 'REQUEST_ID_INVALID') {
    return { ok: true, detail: 'The Gateway takes the token; its balance cannot be asked for.' };
  }
  return failedCheck('Telegram', answer, error);
}
