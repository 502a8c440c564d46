/**
 * Green-API: sending, the state of the instance, its queue, and notifications. What is sent while it
 * is not authorized waits in the queue until it is, or until the queue is cleared. A plan's `to` is a
 * chat id (`77010000001@c.us`). With `refuse`, `code` is an HTTP status or a key of `REFUSALS`; with
 * a `failed` receipt, `failure` is the provider's own status (`noAccount`, `notInGroup`,
 * `yellowCard`).
 */
import { randomBytes } from 'node:crypto';
import { type Acts, act } from './frame/control.ts';
import {
  type PlannedReply,
  type Protocol,
  type ProtocolContext,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import type { TakenMessage } from './frame/journal.ts';
import { withoutPlus } from './frame/phone.ts';
import type { Plan, SimulatedReceipt } from './frame/plan.ts';
import { readJson } from './frame/read-body.ts';
import { type Callback, callOnce } from './frame/reports.ts';
import { either, flag, httpStatus, oneOf, optional, phone, text } from './frame/request-fields.ts';
import type { SimulatedCall, Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';

export type GreenApiOptions = SimulatorOptions & {
  instanceId: string;
  token: string;
  /** Sent with each notification, as the operator configured it. */
  callbackToken: string;
  /** Where notifications go; none are sent without it. */
  callbackUrl?: string;
  /** `authorized` by default. */
  state?: string;
};

export type GreenApiSimulator = Simulator & {
  /** Changes the state of the instance and notifies of it; returns the status of the service. */
  setState(state: string, how?: { isSilent?: boolean | undefined }): Promise<number>;
  /** The ids of the messages that wait for the instance to be authorized. */
  queued(): string[];
};

type Queued = { id: string; chatId: string; text: string; deliver(): void };
type Account = GreenApiOptions & { state: string; queue: Queued[] };

type Refusal = { status: number; message: string };

const REFUSALS: Readonly<Record<string, Refusal>> = {
  400: { status: 400, message: 'bad request data' },
  401: { status: 401, message: 'Unauthorized' },
  403: { status: 403, message: 'Forbidden' },
  404: { status: 404, message: 'Not Found' },
  429: { status: 429, message: 'Too Many Requests' },
  466: { status: 466, message: 'Monthly quota has been exceeded' },
  499: { status: 499, message: 'Client Closed Request' },
  starting: { status: 400, message: 'instance in starting process try later' },
  not_authorized: { status: 400, message: 'instance is starting or not authorized' },
  deleted: { status: 400, message: 'Instance is deleted' },
  expired: {
    status: 400,
    message: 'Instance account is expired. Renew your instance from personal area',
  },
};

const CHAT_ID = /^(?:\d{7,15}@c\.us|\d{10,}(?:-\d+)?@g\.us)$/;
const MESSAGE_LENGTH_MAX = 20_000;

/** The number of the linked device. */
const NUMBER = '77000000000';

const STATES = ['authorized', 'notAuthorized', 'blocked', 'starting', 'yellowCard'] as const;
/** The pause between two messages from the queue, and before the first. */
const QUEUE_PAUSE_MS = 2_000;

export async function startGreenApi(options: GreenApiOptions): Promise<GreenApiSimulator> {
  const account: Account = { ...options, state: options.state ?? 'authorized', queue: [] };
  const setState = createStateChange(account);
  const protocol: Protocol = {
    name: 'green-api',
    answer: (call, context) => answer(call, context, account),
    toReport: (message, receipt, plan) =>
      notification(account, toStatus(message, receipt, plan.failure), plan.isForged),
    refusalCode: either(httpStatus, oneOf(Object.keys(REFUSALS))),
    acts: createActs(account, setState),
  };
  const simulator = await startHttpSimulator(protocol, options);
  return { ...simulator, setState, queued: () => account.queue.map(({ id }) => id) };
}

function answer(
  call: SimulatedCall,
  context: ProtocolContext,
  account: Account,
): Reply | PlannedReply {
  const [, instance, method, token] = call.path.split('/');
  if (instance !== `waInstance${account.instanceId}`) return refusal(call, '403');
  if (token !== encodeURIComponent(account.token)) return refusal(call, '401');
  const { state: stateInstance, queue } = account;
  switch (`${call.method} ${method}`) {
    case 'POST sendMessage':
      return send(call, context, account);
    case 'GET getStateInstance':
      return success({ stateInstance });
    case 'GET getWaSettings':
      return success({ phone: stateInstance === 'authorized' ? NUMBER : '', stateInstance });
    case 'GET showMessagesQueue':
      return success(queue.map(toQueueEntry));
    case 'GET clearMessagesQueue':
      queue.length = 0;
      return success({ isCleared: true });
    default:
      return refusal(call, '404');
  }
}

function success(body: object): Reply {
  return { status: 200, body: JSON.stringify(body) };
}

function toQueueEntry({ id, chatId, text }: Queued): object {
  const body = { chatId, message: text, linkPreview: false };
  return { messageID: id, messagesIDs: [], type: 'sendMessage', body };
}

/** An authorized instance sends what waits, one message after the other. */
function createStateChange(account: Account): GreenApiSimulator['setState'] {
  let timer: NodeJS.Timeout | undefined;
  return async (state, { isSilent = false } = {}) => {
    account.state = state;
    clearInterval(timer);
    if (state === 'authorized') {
      timer = setInterval(() => account.queue.shift()?.deliver(), QUEUE_PAUSE_MS).unref();
    }
    if (isSilent) return 0;
    return await notify(account, { typeWebhook: 'stateInstanceChanged', stateInstance: state });
  };
}

function send(
  call: SimulatedCall,
  context: ProtocolContext,
  { state, queue }: Account,
): Reply | PlannedReply {
  const message = readMessage(call.body);
  if (typeof message === 'string') return errorReply(call, { status: 400, message });
  const { chatId, text, details } = message;
  const plan = context.planFor(chatId);
  if (plan.does === 'refuse') {
    const code = String(plan.code ?? 400);
    context.journal.write({ event: 'refused', to: chatId, code });
    return { ...refusal(call, code), plan, taken: undefined };
  }
  const id = `3EB0${randomBytes(8).toString('hex').toUpperCase()}`;
  const deliver = () => context.take(plan, { id, to: chatId, text, details });
  if (state !== 'authorized') {
    queue.push({ id, chatId, text, deliver });
    return { ...success({ idMessage: id }), plan, taken: undefined };
  }
  const taken = deliver();
  return { ...success({ idMessage: taken?.id ?? id }), plan, taken };
}

type ReadMessage = { chatId: string; text: string; details: Record<string, unknown> };

/** Returns the error text when the call is invalid. */
function readMessage(body: Buffer): ReadMessage | string {
  const details = readJson(body);
  if (details === undefined) return 'Unexpected token in JSON at position 0';
  const { chatId, message: text, linkPreview } = details;
  if (typeof chatId !== 'string' || !CHAT_ID.test(chatId)) {
    return "Validation failed. Details: 'chatId' has a wrong format";
  }
  if (typeof text !== 'string' || text === '' || text.length > MESSAGE_LENGTH_MAX) {
    return "Validation failed. Details: 'message' has a wrong length";
  }
  if (linkPreview !== undefined && typeof linkPreview !== 'boolean') {
    return "Validation failed. Details: 'linkPreview' must be a boolean";
  }
  return { chatId, text, details };
}

function refusal(call: SimulatedCall, code: string): Reply {
  return errorReply(call, REFUSALS[code] ?? { status: Number(code), message: 'Error' });
}

/**
 * The format is undocumented. It repeats the path of the call, including the token, so that tests
 * catch an adapter that leaks what it reads.
 */
function errorReply({ path }: SimulatedCall, { status, message }: Refusal): Reply {
  const quota = { method: 'sendmessage', used: 100, total: 100, status: 'QUOTE_EXCEEDED' };
  const body =
    status === 466
      ? { invokeStatus: { ...quota, description: message } }
      : { statusCode: status, timestamp: new Date().toISOString(), path, message };
  return { status, body: JSON.stringify(body) };
}

function toStatus(
  { id, to }: TakenMessage,
  receipt: SimulatedReceipt,
  failure: Plan['failure'] = 'failed',
): object {
  const status = receipt === 'failed' ? failure : receipt;
  return {
    typeWebhook: 'outgoingMessageStatus',
    chatId: to,
    idMessage: id,
    status,
    ...(status === 'failed' ? { description: 'the message was not sent' } : {}),
    sendByApi: true,
  };
}

/** The acts of people and of WhatsApp that the control API can trigger. */
function createActs(account: Account, setState: GreenApiSimulator['setState']): Acts {
  const report = async (status: Promise<number>) => ({ serviceStatus: await status });
  return {
    write: act({ phone, text: optional(text), isForged: optional(flag) }, (given) =>
      report(
        notify(account, inbound(`${withoutPlus(given.phone)}@c.us`, given.text), given.isForged),
      ),
    ),
    'say-in-group': act({ chatId: text, title: text, text, isForged: optional(flag) }, (given) =>
      report(notify(account, inbound(given.chatId, given.text, given.title), given.isForged)),
    ),
    'set-state': act({ state: oneOf(STATES), isSilent: optional(flag) }, (given) =>
      report(setState(given.state, given)),
    ),
  };
}

/** Returns the status of the service; 0 when it is not reached. */
async function notify(account: Account, event: object, isForged = false): Promise<number> {
  const callback = notification(account, event, isForged);
  return callback === undefined ? 0 : await callOnce(callback).catch(() => 0);
}

function inbound(chatId: string, textMessage = 'Здравствуйте', chatName = 'Айгүл'): object {
  const name = 'Айгүл';
  const sender = chatId.endsWith('@g.us') ? '77010000001@c.us' : chatId;
  return {
    typeWebhook: 'incomingMessageReceived',
    idMessage: randomBytes(16).toString('hex').toUpperCase(),
    senderData: { chatId, sender, chatName, senderName: name, senderContactName: '' },
    messageData: { typeMessage: 'textMessage', textMessageData: { textMessage } },
  };
}

function notification(
  { callbackUrl, callbackToken, instanceId }: GreenApiOptions,
  event: object,
  isForged = false,
): Callback | undefined {
  if (callbackUrl === undefined) return undefined;
  const instanceData = {
    idInstance: Number(instanceId),
    wid: `${NUMBER}@c.us`,
    typeInstance: 'whatsapp',
  };
  const timestamp = Math.floor(Date.now() / 1_000);
  const token = isForged ? randomBytes(16).toString('hex') : callbackToken;
  return {
    url: callbackUrl,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...event, instanceData, timestamp }),
  };
}
