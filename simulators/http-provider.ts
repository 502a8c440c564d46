/**
 * A correct implementation of the protocol in docs/http-provider.md: the signature is checked, and
 * a repeated id is answered and not sent again.
 *
 * A plan that refuses does so with 200 and its `code` as the reason, or, when the code is a number,
 * with that HTTP status.
 *
 * `quiet` is for measurements: everything is accepted unread, and nothing is journalled or
 * reported. Of a plan only the delay is used, so that it can be changed at run time.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  listen,
  type PlannedReply,
  type ProtocolContext,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import { openJournal, type TakenMessage } from './frame/journal.ts';
import { createPlans, type Plan, type SimulatedReceipt } from './frame/plan.ts';
import { readJson } from './frame/read-body.ts';
import type { Callback } from './frame/reports.ts';
import { either, httpStatus, text } from './frame/request-fields.ts';
import type { SimulatedCall, Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';

export type HttpProviderOptions = SimulatorOptions & {
  /** `whsec_…`, the same on both sides. */
  secret: string;
  quiet?: boolean;
  /** The delay of each answer. */
  delayMs?: number;
};

type Message = {
  reference: string;
  to?: string;
  group?: string;
  text: string;
  code?: string;
  callback_url?: string;
};

const TOLERANCE_SECONDS = 300;

export async function startHttpProvider(options: HttpProviderOptions): Promise<Simulator> {
  if (options.quiet === true) return await startQuiet(options);
  const answered = new Map<string, TakenMessage>();
  let { firstNumber: lastId = 0 } = options;
  let lastReceipt = lastId;

  const take = (id: string, message: Message, context: ProtocolContext): PlannedReply => {
    const to = message.to ?? message.group ?? '';
    const plan = { ...defaultDelay(options), ...context.planFor(to) };
    const previous = answered.get(id);
    if (previous !== undefined) return { ...accepted(previous.id), plan, taken: undefined };
    if (plan.does === 'refuse') {
      context.journal.write({
        event: 'refused',
        to,
        ref: message.reference,
        code: String(plan.code),
      });
      return { ...refused(plan.code), plan, taken: undefined };
    }
    const { reference: ref, text, code, ...details } = message;
    const taken = context.take(plan, {
      id: `out-${++lastId}`,
      to,
      text,
      ref,
      ...(code === undefined ? {} : { code }),
      details: { ...details, webhookId: id },
    });
    if (taken !== undefined) answered.set(id, taken);
    return { ...accepted(taken?.id ?? `out-${lastId}`), plan, taken };
  };

  return await startHttpSimulator(
    {
      name: 'http-provider',
      refusalCode: either(httpStatus, text),
      answer(call, context) {
        if (call.method !== 'POST') return { status: 405, body: '' };
        if (!isSigned(call, options.secret)) return { status: 401, body: '{"error":"signature"}' };
        const { type, data } = readJson(call.body) ?? {};
        if (type === 'ping') return { status: 200, body: '{}' };
        if (type !== 'message.send') return { status: 400, body: '{"error":"type"}' };
        return take(String(call.headers['webhook-id']), data as Message, context);
      },
      toReport: (message, receipt, plan) =>
        toCallback(message, receipt, { plan, secret: options.secret, number: ++lastReceipt }),
    },
    options,
  );
}

function defaultDelay({ delayMs }: HttpProviderOptions): { delayMs?: number } {
  return delayMs === undefined ? {} : { delayMs };
}

function accepted(id: string): Reply {
  return { status: 200, body: JSON.stringify({ accepted: true, id }) };
}

function refused(code: string | number = 'the number is blocked'): Reply {
  const isStatus = typeof code === 'number';
  const reason = isStatus ? 'the number is blocked' : code;
  return { status: isStatus ? code : 200, body: JSON.stringify({ accepted: false, reason }) };
}

function toCallback(
  message: TakenMessage,
  receipt: SimulatedReceipt,
  { plan, secret, number }: { plan: Plan; secret: string; number: number },
): Callback | undefined {
  const url = message.details?.callback_url;
  if (typeof url !== 'string' || receipt === 'sent') return undefined;
  const reason = receipt === 'failed' ? String(plan.failure ?? 'the phone is off') : undefined;
  const body = JSON.stringify({ reference: message.ref, status: receipt, reason });
  const id = `receipt_${number}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = sign(secret, `${id}.${timestamp}.`, Buffer.from(body));
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': plan.isForged === true ? `v1,${'A'.repeat(43)}=` : signature,
    },
    body,
  };
}

function isSigned({ headers, body }: SimulatedCall, secret: string): boolean {
  const id = String(headers['webhook-id'] ?? '');
  const timestamp = String(headers['webhook-timestamp'] ?? '');
  if (id === '' || id.includes('.') || !/^\d+$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = Buffer.from(sign(secret, `${id}.${timestamp}.`, body));
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .map((given) => Buffer.from(given))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

function sign(secret: string, prefix: string, body: Buffer): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(prefix).update(body).digest('base64')}`;
}

async function startQuiet({ port = 0, delayMs }: HttpProviderOptions): Promise<Simulator> {
  let lastId = 0;
  const plans = createPlans();
  const server = createServer((request, response) => {
    const accept = () => {
      const body = `{"accepted":true,"id":"quiet-${++lastId}"}`;
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': body.length,
      });
      response.end(body);
    };
    // A timer of 0 ms would take 1 ms.
    const { delayMs: waitMs = delayMs ?? 0 } = plans.take('');
    const answer = waitMs === 0 ? accept : () => setTimeout(accept, waitMs);
    request.resume().once('end', answer);
  });
  const close = await listen(server, port);
  return {
    name: 'http-provider',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    journal: openJournal(),
    plans,
    report: async () => [],
    settle: async () => undefined,
    close: async () => close(),
  };
}
