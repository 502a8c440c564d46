/**
 * Green-API: sending, the state of the instance, and notifications. A plan's `to` is a chat id
 * (`77010000001@c.us`). With `refuse`, `code` is an HTTP status or a key of `REFUSALS`; with a
 * `failed` receipt, `failure` is the provider's own status (`noAccount`, `notInGroup`,
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

export async function startGreenApi(options: GreenApiOptions): Promise<Simulator> {
  const account = { ...options };
  const protocol: Protocol = {
    name: 'green-api',
    answer: (call, context) => answer(call, context, account),
    toReport: (message, receipt, plan) =>
      notification(account, toStatus(message, receipt, plan.failure), plan.isForged),
    refusalCode: either(httpStatus, oneOf(Object.keys(REFUSALS))),
    acts: createActs(account),
  };
  return await startHttpSimulator(protocol, options);
}

function answer(
  call: SimulatedCall,
  context: ProtocolContext,
  options: GreenApiOptions,
): Reply | PlannedReply {
  const [, instance, method, token] = call.path.split('/');
  if (instance !== `waInstance${options.instanceId}`) return refusal(call, '403');
  if (token !== encodeURIComponent(options.token)) return refusal(call, '401');
  switch (`${call.method} ${method}`) {
    case 'POST sendMessage':
      return send(call, context);
    case 'GET getStateInstance': {
      const body = JSON.stringify({ stateInstance: options.state ?? 'authorized' });
      return { status: 200, body };
    }
    case 'GET getWaSettings': {
      const isConnected = (options.state ?? 'authorized') === 'authorized';
      const body = JSON.stringify({
        phone: isConnected ? NUMBER : '',
        stateInstance: options.state,
      });
      return { status: 200, body };
    }
    default:
      return refusal(call, '404');
  }
}

function send(call: SimulatedCall, context: ProtocolContext): Reply | PlannedReply {
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
  const taken = context.take(plan, { id, to: chatId, text, details });
  return { status: 200, body: JSON.stringify({ idMessage: taken?.id ?? id }), plan, taken };
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
function createActs(account: GreenApiOptions): Acts {
  const notify = async (event: object, isForged = false) => {
    const callback = notification(account, event, isForged);
    const serviceStatus = callback === undefined ? 0 : await callOnce(callback).catch(() => 0);
    return { serviceStatus };
  };
  return {
    write: act({ phone, text: optional(text), isForged: optional(flag) }, (given) =>
      notify(inbound(`${withoutPlus(given.phone)}@c.us`, given.text), given.isForged),
    ),
    'say-in-group': act({ chatId: text, title: text, text, isForged: optional(flag) }, (given) =>
      notify(inbound(given.chatId, given.text, given.title), given.isForged),
    ),
    // Messages are still accepted in any state: they wait in the provider's queue.
    'set-state': act({ state: oneOf(STATES) }, ({ state }) => {
      account.state = state;
      return notify({ typeWebhook: 'stateInstanceChanged', stateInstance: state });
    }),
  };
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
