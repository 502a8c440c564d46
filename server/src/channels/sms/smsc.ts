/**
 * SMS through the HTTP API of SMSC.kz: smsc.kz/api/http/send/, /status_messages/, /balance/ and
 * /miscellaneous/callback/. Every answer has status 200; errors are in the body.
 *
 * Unproven: the formula of the callback signature, `id:phone:status:secret`. The vendor's table of
 * it could not be read; public clients agree on it, such as Codewiser\SmsCenterMailer for PHP. If it
 * is wrong, all callbacks get 403 and statuses come by queries alone.
 *
 * Left out on purpose: the table of `err` codes inside a status, which only details a failure; the
 * `crc` signature, which anybody can forge; handlers that ask for XML or JSON (`fmt` in the address
 * that SMSC calls); and SMSC's relays to other messengers.
 */

import { createHash } from 'node:crypto';
import { SMS_SEGMENTS_MAX } from '@zhiber/contract/api/limits.ts';
import type { JsonObject } from '../../json-object.ts';
import {
  createProviderClient,
  type ProviderAnswer,
  readAnswerBody,
} from '../../runtime/provider-client.ts';
import { isSameSecret } from '../../token.ts';
import type { Outcome } from '../channel.ts';
import { failedCheck, outcomeWithoutBody, UNCLEAR_ANSWER } from '../http/provider-answer.ts';
import { createUnclearLog } from '../http/unclear-log.ts';
import type {
  Provider,
  ProviderBasics,
  ProviderCheck,
  ProviderReport,
  ProviderStatus,
} from '../provider.ts';
import { readShortRefText, shortRefText } from '../short-ref.ts';
import { balanceText } from './balance-text.ts';
import { NOT_FOR_GROUPS, refusedWith } from './refusals.ts';
import {
  SMSC_ERRORS,
  SMSC_NOT_FOUND,
  SMSC_REFUSALS,
  SMSC_STATUSES,
  SMSC_UNDER_WAY,
} from './smsc-tables.ts';

export type SmscSettings = {
  /** The address of the API; https://smsc.kz when not given. */
  url?: string | undefined;
  /** With the password, when there is no API key. */
  login?: string | undefined;
  /** A secret. */
  password?: string | undefined;
  /** A secret, in place of the login and the password. */
  apiKey?: string | undefined;
  /** The registered sender name; SMSC's default of the account when not given. */
  sender?: string | undefined;
  /** A secret: SMSC signs its callbacks with it. Without it they are all refused. */
  callbackSecret?: string | undefined;
  /** As agreed; without it broadcasts have no limit. */
  ratePerSecond?: number | undefined;
};

type Fields = Readonly<Record<string, string | undefined>>;

const URL_DEFAULT = 'https://smsc.kz';
/** "Not found" in a query for one message; a query for several reports it as a status. */
const ERROR_NOT_FOUND = '3';
/** SMSC refuses all calls of a login that has 15 or more at once. */
const CALLS_MAX = 12;
const VALID_MINUTES_MAX = 24 * 60;

const NAME = 'smsc';

export function openSmsc(settings: SmscSettings, { log }: ProviderBasics): Provider {
  const logUnclear = createUnclearLog({ name: NAME, log, settings });
  const client = createProviderClient({
    url: settings.url ?? URL_DEFAULT,
    connections: CALLS_MAX,
  });
  const post = (path: string, fields: Fields, signal: AbortSignal): Promise<ProviderAnswer> =>
    client.call({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encodeForm({ ...toCredentials(settings), fmt: '3', charset: 'utf-8', ...fields }),
      signal,
    });

  return {
    name: NAME,
    channel: 'sms',
    carries: new Set(['code', 'code_with_link', 'text', 'broadcast']),
    ratePerSecond: settings.ratePerSecond,
    inFlightMax: CALLS_MAX,
    receiptKey: 'ref',
    // By its documentation ids need not be unique, and a query finds the newer of two messages. It
    // refuses an equal text only within a minute, which is too short to rely on.
    deduplicates: false,
    canQueryByRef: true,
    async send(message, signal) {
      const { ref, to, text, ttlSeconds, sender = settings.sender } = message;
      if (!('phone' in to)) return NOT_FOR_GROUPS;
      const answer = await post(
        '/sys/send.php',
        {
          id: shortRefText(ref),
          // The plus keeps SMSC from "correcting" the number into another one.
          phones: `+${to.phone}`,
          mes: text,
          sender,
          valid: ttlSeconds === undefined ? undefined : formatValidity(ttlSeconds),
          maxsms: String(SMS_SEGMENTS_MAX),
          translit: '0',
          tinyurl: '0',
        },
        signal,
      );
      return logUnclear(readSent(answer), answer, message);
    },
    async readStatus({ ref, providerId, to }, signal) {
      const id = providerId ?? shortRefText(ref);
      const answer = await post('/sys/status.php', { id, phone: to }, signal);
      return parseStatus(readAnswerBody(answer), { id, wasAccepted: providerId !== undefined });
    },
    readCallback({ method, query, body }) {
      // The query of a POST is what the operator configured, not what SMSC reports.
      const isGet = method === 'GET';
      const fields: Fields = isGet
        ? query
        : Object.fromEntries(new URLSearchParams(body.toString()));
      if (!isSigned(fields, settings.callbackSecret)) return undefined;
      return { reports: readReports(fields) };
    },
    async check(signal) {
      return readBalance(await post('/sys/balance.php', { cur: '1' }, signal));
    },
    stop: () => client.close(),
  };
}

function toCredentials({ apiKey, login, password }: SmscSettings): Fields {
  return apiKey === undefined ? { login, psw: password } : { apikey: apiKey };
}

function encodeForm(fields: Fields): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given as [string, string][]).toString();
}

/** Hours and minutes, from 00:01 to 24:00. */
function formatValidity(seconds: number): string {
  const minutes = Math.min(Math.max(Math.floor(seconds / 60), 1), VALID_MINUTES_MAX);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function readSent(answer: ProviderAnswer): Outcome {
  const body = readAnswerBody(answer);
  if (body === undefined) return outcomeWithoutBody(answer);
  const error = toCode(body.error_code);
  if (error !== undefined) {
    return SMSC_ERRORS[error] ?? refusedWith(error);
  }
  const providerId = toId(body.id);
  const hasParts = Number(toCode(body.cnt)) >= 1;
  return providerId !== undefined && hasParts ? { result: 'accepted', providerId } : UNCLEAR_ANSWER;
}

/** A message that SMSC refused to send has a status as well. */
function parseStatus(
  body: JsonObject | undefined,
  { id, wasAccepted }: { id: string; wasAccepted: boolean },
): ProviderStatus {
  const error = toCode(body?.error_code);
  const status = toCode(body?.status);
  if (error === ERROR_NOT_FOUND) return { known: 'nothing' };
  // For example error 9: too many queries for the same message.
  if (error !== undefined || status === undefined) return { known: 'unclear' };
  if (status === SMSC_NOT_FOUND) return { known: 'nothing' };
  if (SMSC_UNDER_WAY.has(status)) return { known: 'accepted', providerId: id };
  const final = SMSC_STATUSES[status];
  if (final === undefined) return { known: 'unclear' };
  return SMSC_REFUSALS.has(status) && !wasAccepted
    ? { known: 'refused', reason: final.reason ?? '' }
    : { known: 'accepted', providerId: id, ...final };
}

/** The documentation shows numbers both as numbers and as strings. */
function toCode(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^-?\d{1,4}$/.test(text) ? text : undefined;
}

function toId(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^(?!0$)[\w.-]{1,40}$/.test(text) ? text : undefined;
}

function isSigned(fields: Fields, secret: string | undefined): boolean {
  if (secret === undefined || secret === '') return false;
  const { id = '', phone = '', status = '', sha1, md5 = '' } = fields;
  const signed = `${id}:${phone}:${status}:${secret}`;
  const [algorithm, given] = sha1 === undefined ? ['md5', md5] : ['sha1', sha1];
  const expected = createHash(algorithm).update(signed).digest('hex');
  return isSameSecret(given.toLowerCase(), expected);
}

function readReports({ id, status }: Fields): ProviderReport[] {
  const final = SMSC_STATUSES[toCode(status) ?? ''];
  if (final === undefined || id === undefined) return [];
  const ref = readShortRefText(id);
  // Messages that others send through the same account have other ids.
  return ref === undefined ? [] : [{ ref, ...final }];
}

function readBalance(answer: ProviderAnswer): ProviderCheck {
  const body = readAnswerBody(answer);
  if (body === undefined) return failedCheck('SMSC', answer);
  const error = toCode(body.error_code);
  if (error === '2') {
    const detail = 'SMSC did not accept the login and password, or the API key, or this address.';
    return { ok: false, detail };
  }
  const balance = balanceText(body);
  if (error !== undefined || balance === undefined) {
    return { ok: false, detail: `SMSC did not return the balance (error ${error ?? 'unknown'}).` };
  }
  return { ok: true, detail: `SMSC works; the balance is ${balance}.`, balance };
}
