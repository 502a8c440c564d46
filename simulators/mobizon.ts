/**
 * Mobizon's API v1 in JSON: message/sendSmsMessage, message/getSMSStatus, user/getOwnBalance, and
 * the webhook of final statuses. Every answer has status 200; errors are in `code`.
 *
 * A plan that refuses with the code `moderation` answers that the message waits for a moderator.
 */
import { createHash } from 'node:crypto';
import {
  type PlannedReply,
  type ProtocolContext,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import type { TakenMessage } from './frame/journal.ts';
import { withoutPlus } from './frame/phone.ts';
import type { Plan, SimulatedReceipt } from './frame/plan.ts';
import type { Callback } from './frame/reports.ts';
import { either, integerFrom, oneOf } from './frame/request-fields.ts';
import type { SimulatedCall, Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';

export type MobizonOptions = SimulatorOptions & {
  apiKey: string;
  balance?: string;
  /** Where the webhook goes, and what it is signed with. */
  callbackUrl?: string;
  callbackSecret?: string;
};

type Page = (
  form: URLSearchParams,
  context: ProtocolContext,
  memory: Memory,
) => Reply | PlannedReply;

const OK = 0;
const VALIDATION = 1;
const NOT_FOUND = 2;
const NO_MODULE = 4;
const NO_METHOD = 5;
const NO_FORMAT = 6;
const NO_LOGIN = 8;
const LIMITS = 12;
const IDS_MAX = 100;
const SENT = 2;
const MODERATED = 1;
/** The `data` of the error codes that have any. */
const DETAILS: Record<number, unknown> = {
  [VALIDATION]: { recipient: 'The number is not valid' },
  13: 'api.mobizon.com',
  100: 4711,
};

/** The state of the simulator besides the messages. */
type Memory = { lastId: number; lastEvent: number; failures: Map<string, string> };

export function startMobizon(options: MobizonOptions): Promise<Simulator> {
  const { firstNumber: lastId = 169_000_000 } = options;
  const memory: Memory = { lastId, lastEvent: 0, failures: new Map() };
  const pages: Record<string, Page> = {
    '/service/message/sendsmsmessage': send,
    '/service/message/getsmsstatus': readStatus,
    '/service/user/getownbalance': () =>
      answer(OK, { balance: options.balance ?? '9984.0000', currency: 'KZT' }),
  };
  return startHttpSimulator(
    {
      name: 'mobizon',
      refusalCode: either(integerFrom(1), oneOf(['moderation'])),
      answer(call, context) {
        if (!call.path.startsWith('/service/')) return undefined;
        const errorCode = findCallError(call, options);
        if (errorCode !== undefined) return answer(errorCode, '');
        const page = pages[call.path.toLowerCase()];
        if (page === undefined) return answer(NO_METHOD, '');
        return page(new URLSearchParams(call.body.toString()), context, memory);
      },
      toReport(message, receipt, plan) {
        if (receipt === 'failed' && plan.isForged !== true) {
          memory.failures.set(message.id, String(plan.failure ?? 'UNDELIV'));
        }
        // Only final statuses are reported, and SMS has no read receipts.
        if (receipt === 'sent' || receipt === 'read') return undefined;
        const status = toStatus(message.id, receipt, memory);
        return toCallback(message, { status, eventId: ++memory.lastEvent, plan }, options);
      },
    },
    options,
  );
}

function send(
  form: URLSearchParams,
  context: ProtocolContext,
  memory: Memory,
): Reply | PlannedReply {
  const problems = findProblems(form);
  if (Object.keys(problems).length > 0) return answer(VALIDATION, problems);
  const to = withoutPlus(form.get('recipient') ?? '');
  const text = form.get('text') ?? '';
  const plan = context.planFor(to);
  const campaignId = String(memory.lastId + 1_000);
  const id = String(++memory.lastId);
  if (plan.does === 'refuse') {
    const code = String(plan.code ?? VALIDATION);
    context.journal.write({ event: 'refused', to, code });
    const reply =
      code === 'moderation'
        ? answer(OK, { campaignId, messageId: id, status: MODERATED })
        : answer(Number(code), DETAILS[Number(code)] ?? '');
    return { ...reply, plan, taken: undefined };
  }
  const others = [...form].filter(([name]) => name !== 'recipient' && name !== 'text');
  const taken = context.take(plan, { id, to, text, details: Object.fromEntries(others) });
  const reply = answer(OK, { campaignId, messageId: taken?.id ?? id, status: SENT });
  return { ...reply, plan, taken };
}

function readStatus(form: URLSearchParams, context: ProtocolContext, memory: Memory): Reply {
  const ids = [...form]
    .filter(([name]) => /^ids(\[\d*\])?$/.test(name))
    .flatMap(([, value]) => value.split(','))
    .filter((id) => id !== '');
  if (ids.length === 0) return answer(NOT_FOUND, '');
  if (ids.length > IDS_MAX) return answer(LIMITS, '');
  const rows = ids
    .filter((id) => context.find(id) !== undefined)
    .map((id) => {
      const status = toStatus(id, context.receiptsOf(id).at(-1), memory);
      return { id, status, segNum: '1', startSendTs: timestamp(), statusUpdateTs: timestamp() };
    });
  return answer(OK, rows);
}

function toStatus(id: string, receipt: SimulatedReceipt | undefined, { failures }: Memory): string {
  if (receipt === 'failed') return failures.get(id) ?? 'UNDELIV';
  return receipt === undefined || receipt === 'sent' ? 'ACCEPTD' : 'DELIVRD';
}

function toCallback(
  { id, to }: TakenMessage,
  report: { status: string; eventId: number; plan: Plan },
  { callbackUrl, callbackSecret = '' }: MobizonOptions,
): Callback | undefined {
  if (callbackUrl === undefined) return undefined;
  const { status, eventId, plan } = report;
  const eventCreateTs = timestamp();
  const secret = plan.isForged === true ? 'somebody else' : callbackSecret;
  const signed = [eventId, 1, eventCreateTs, secret].join('|');
  return {
    url: callbackUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      eventId,
      eventType: 'sms-delivery-report',
      eventCreateTs,
      webhookId: 1,
      attempt: 1,
      data: {
        campaignId: 245,
        messageId: Number(id),
        segNum: 1,
        statusUpdateTs: timestamp(),
        status,
        to,
      },
      sign: createHash('sha1').update(signed).digest('hex'),
    }),
  };
}

/** The error code of a call that is invalid for any method. */
function findCallError({ query, path }: SimulatedCall, { apiKey }: MobizonOptions) {
  if (query.get('output') !== 'json' || query.get('api') !== 'v1') return NO_FORMAT;
  if (query.get('apiKey') !== apiKey) return NO_LOGIN;
  return /^\/service\/(message|user)\//.test(path) ? undefined : NO_MODULE;
}

function findProblems(form: URLSearchParams): Record<string, string> {
  const problems: Record<string, string> = {};
  if (!/^\+?\d{10,15}$/.test(form.get('recipient') ?? '')) problems.recipient = 'not a number';
  if ((form.get('text') ?? '') === '') problems.text = 'empty';
  const validity = Number(form.get('params[validity]') ?? 1440);
  if (!(validity >= 60 && validity <= 1440)) problems.validity = 'from 60 to 1440';
  if (!/^[01]$/.test(form.get('params[shortenLinks]') ?? '0')) problems.shortenLinks = '0 or 1';
  return problems;
}

function answer(code: number, details: unknown): Reply {
  const message = code === OK ? '' : `Error ${code}`;
  return { status: 200, body: JSON.stringify({ code, data: details, message }) };
}

function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' ');
}
