/**
 * The Telegram Gateway as its public page describes it (core.telegram.org/gateway/api): strict
 * about parameters, charging for each code, marking expired codes as refunded, signing reports.
 *
 * A plan that refuses takes the error as its `code` (PHONE_NUMBER_NOT_FOUND, FLOOD_WAIT_7); a
 * `failed` receipt is the status `expired`, or `revoked` when the plan's `failure` says so.
 */
import { createHash, createHmac } from 'node:crypto';
import {
  type PlannedReply,
  type ProtocolContext,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import type { TakenMessage } from './frame/journal.ts';
import type { Plan, SimulatedReceipt } from './frame/plan.ts';
import type { Callback } from './frame/reports.ts';
import { text } from './frame/request-fields.ts';
import type { Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';
import { isCallableUrl, type Parameters, readParameters } from './telegram/parameters.ts';

export type TelegramGatewayOptions = SimulatorOptions & {
  /** The token it accepts. */
  token: string;
  /** The channels of the account; no other channel can be the sender. */
  senders?: Readonly<Record<string, 'verified' | 'unverified'>>;
  /** The balance of the account, in US cents. */
  balanceCents?: number;
  /** The HTTP status of errors, which the vendor does not document. */
  errorStatus?: number;
};

/** A request that was charged for. */
type Charged = {
  id: string;
  parameters: Parameters;
  isSent: boolean;
  sentAtMs: number;
  /** All delivery statuses it has had, except `sent`. */
  statuses: Set<string>;
  verification?: { status: string; code_entered: string };
};

type State = TelegramGatewayOptions & {
  requests: Map<string, Charged>;
  lastId: number;
  balanceCents: number;
};
type Method = (
  state: State,
  parameters: Parameters,
  context: ProtocolContext,
) => Reply | PlannedReply;

const COST_CENTS = 1;
const PHONE = /^\+[1-9]\d{6,14}$/;
const STATUS_BY_RECEIPT: Record<SimulatedReceipt, string> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'expired',
};

export async function startTelegramGateway(options: TelegramGatewayOptions): Promise<Simulator> {
  const { firstNumber: lastId = 1_000 } = options;
  const state: State = { balanceCents: 10_000, ...options, requests: new Map(), lastId };
  return await startHttpSimulator(
    {
      name: 'telegram-gateway',
      refusalCode: text,
      answer(call, context) {
        const parameters = readParameters(call);
        const bearer = /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1];
        const token = bearer ?? parameters.access_token;
        if (token === undefined) return failure(state, 'ACCESS_TOKEN_REQUIRED');
        if (token !== state.token) return failure(state, 'ACCESS_TOKEN_INVALID');
        const method = METHODS.get(call.path.slice(1).toLowerCase());
        return method?.(state, parameters, context) ?? failure(state, 'UNKNOWN_METHOD');
      },
      toReport: (message, receipt, plan) => toReport(state, message, receipt, plan),
    },
    options,
  );
}

const METHODS = new Map<string, Method>([
  ['sendverificationmessage', sendVerificationMessage],
  ['checksendability', checkSendAbility],
  ['checkverificationstatus', checkVerificationStatus],
  ['revokeverificationmessage', revokeVerificationMessage],
]);

function sendVerificationMessage(state: State, parameters: Parameters, context: ProtocolContext) {
  const invalid = CHECKS.find(([, isWrong]) => isWrong(parameters, state))?.[0];
  if (invalid !== undefined) return failure(state, invalid);
  const { phone_number: to, code, payload, request_id: requestId, ...details } = parameters;
  const prepaid = requestId === undefined ? undefined : state.requests.get(String(requestId));
  if (requestId !== undefined && prepaid?.isSent !== false) {
    return failure(state, 'REQUEST_ID_INVALID');
  }

  const ref = String(payload ?? '');
  const plan = context.planFor(String(to));
  const isUnpaid = prepaid === undefined && state.balanceCents < COST_CENTS;
  if (plan.does === 'refuse' || isUnpaid) {
    const error = isUnpaid ? 'BALANCE_NOT_ENOUGH' : String(plan.code ?? 'PHONE_NUMBER_NOT_FOUND');
    context.journal.write({ event: 'refused', to: String(to), ref, code: error });
    return { ...failure(state, error), plan, taken: undefined };
  }
  const message = { id: prepaid?.id ?? nextId(state), to: String(to), text: String(code) };
  const extras = { ref, code: String(code), details };
  const taken = context.take(plan, { ...message, ...extras });
  const isCharged = prepaid === undefined && taken !== undefined;
  if (isCharged) state.balanceCents -= COST_CENTS;
  const request = toRequest(taken?.id ?? message.id, parameters, true);
  if (taken !== undefined) state.requests.set(taken.id, request);
  return { ...success(requestStatus(state, request, isCharged)), plan, taken };
}

type Check = readonly [error: string, isWrong: (given: Parameters, state: State) => boolean];

const CHECKS: readonly Check[] = [
  ['PHONE_NUMBER_INVALID', ({ phone_number }) => !PHONE.test(String(phone_number))],
  [
    'CODE_INVALID',
    ({ code }) => code !== undefined && !(typeof code === 'string' && /^\d{4,8}$/.test(code)),
  ],
  [
    'CODE_LENGTH_REQUIRED',
    ({ code, code_length: length }) => code === undefined && length === undefined,
  ],
  [
    'CODE_LENGTH_INVALID',
    ({ code, code_length: length }) => code === undefined && !isWithin(length, 4, 8),
  ],
  ['TTL_INVALID', ({ ttl }) => ttl !== undefined && !isWithin(ttl, 30, 3_600)],
  ['PAYLOAD_INVALID', ({ payload }) => Buffer.byteLength(String(payload ?? '')) > 128],
  [
    'CALLBACK_URL_INVALID',
    ({ callback_url: url }) =>
      url !== undefined && !(isCallableUrl(url) && Buffer.byteLength(String(url)) <= 256),
  ],
  [
    'SENDER_USERNAME_INVALID',
    ({ sender_username: name }) => name !== undefined && !/^@?\w{4,32}$/.test(String(name)),
  ],
  ['SENDER_NOT_OWNED', (given, state) => senderState(given, state) === 'foreign'],
  ['SENDER_NOT_VERIFIED', (given, state) => senderState(given, state) === 'unverified'],
];

function senderState({ sender_username: name }: Parameters, { senders = {} }: State): string {
  if (name === undefined) return 'verified';
  return senders[String(name).replace(/^@/, '')] ?? 'foreign';
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(Number(value)) && Number(value) >= min && Number(value) <= max;
}

/** Costs as much as a code; the code can then be sent for free. */
function checkSendAbility(state: State, parameters: Parameters, context: ProtocolContext) {
  const to = String(parameters.phone_number);
  if (!PHONE.test(to)) return failure(state, 'PHONE_NUMBER_INVALID');
  if (state.balanceCents < COST_CENTS) return failure(state, 'BALANCE_NOT_ENOUGH');
  const plan = context.planFor(to);
  if (plan.does === 'refuse') return failure(state, String(plan.code ?? 'PHONE_NUMBER_NOT_FOUND'));
  state.balanceCents -= COST_CENTS;
  const request = toRequest(nextId(state), parameters, false);
  state.requests.set(request.id, request);
  return success(requestStatus(state, request, true));
}

function checkVerificationStatus(state: State, { request_id: id, code }: Parameters): Reply {
  if (id === undefined) return failure(state, 'REQUEST_ID_REQUIRED');
  const request = state.requests.get(String(id));
  if (request === undefined) return failure(state, 'REQUEST_ID_INVALID');
  if (code !== undefined) {
    const isRight = code === request.parameters.code;
    const status = isRight ? 'code_valid' : 'code_invalid';
    request.verification = { status, code_entered: String(code) };
  }
  return success(requestStatus(state, request, false));
}

function revokeVerificationMessage(state: State, { request_id: id }: Parameters): Reply {
  if (id === undefined) return failure(state, 'REQUEST_ID_REQUIRED');
  const request = state.requests.get(String(id));
  if (request === undefined) return failure(state, 'REQUEST_ID_INVALID');
  request.statuses.add('revoked');
  return success(true);
}

function nextId(state: State): string {
  state.lastId += 1;
  return String(state.lastId);
}

function toRequest(id: string, parameters: Parameters, isSent: boolean): Charged {
  return { id, parameters, isSent, sentAtMs: Date.now(), statuses: new Set() };
}

/** By precedence: a delivered code stays delivered, whatever is reported later. */
const STATUS_PRECEDENCE = ['read', 'delivered', 'revoked', 'expired'];

function deliveryStatus({ statuses, sentAtMs, parameters: { ttl } }: Charged): string {
  const isLate = ttl !== undefined && Date.now() > sentAtMs + Number(ttl) * 1000;
  return STATUS_PRECEDENCE.find((status) => statuses.has(status)) ?? (isLate ? 'expired' : 'sent');
}

function requestStatus(state: State, request: Charged, isCharged: boolean, status?: string) {
  const { parameters, verification, isSent } = request;
  const delivery = status ?? deliveryStatus(request);
  const updated_at = Math.floor(Date.now() / 1000);
  return {
    request_id: request.id,
    phone_number: parameters.phone_number,
    request_cost: COST_CENTS / 100,
    ...(delivery === 'expired' && { is_refunded: true }),
    ...(isCharged && { remaining_balance: state.balanceCents / 100 }),
    ...(isSent && { delivery_status: { status: delivery, updated_at } }),
    ...(verification !== undefined && { verification_status: { ...verification, updated_at } }),
    ...(parameters.payload !== undefined && { payload: parameters.payload }),
  };
}

function toReport(
  state: State,
  { id }: TakenMessage,
  receipt: SimulatedReceipt,
  plan: Plan,
): Callback | undefined {
  const request = state.requests.get(id);
  if (request === undefined) return undefined;
  const hasFailure = receipt === 'failed' && plan.failure !== undefined;
  const status = hasFailure ? String(plan.failure) : STATUS_BY_RECEIPT[receipt];
  if (plan.isForged !== true) request.statuses.add(status);
  if (request.parameters.callback_url === undefined) return undefined;

  const body = JSON.stringify(requestStatus(state, request, false, status));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const token = plan.isForged === true ? `${state.token}-forged` : state.token;
  const key = createHash('sha256').update(token).digest();
  const signature = createHmac('sha256', key).update(`${timestamp}\n${body}`).digest('hex');
  return {
    url: String(request.parameters.callback_url),
    headers: {
      'content-type': 'application/json',
      'x-request-timestamp': timestamp,
      'x-request-signature': signature,
    },
    body,
  };
}

function success(result: unknown): Reply {
  return { status: 200, body: JSON.stringify({ ok: true, result }) };
}

function failure({ errorStatus = 200 }: State, error: string): Reply {
  return { status: errorStatus, body: JSON.stringify({ ok: false, error }) };
}
