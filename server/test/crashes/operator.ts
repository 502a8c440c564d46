/**
 * The operator: WhatsApp, Telegram and SMS as one real HTTP server outside of the service, so that
 * it lives on when the service is killed. At its door it writes down every call and what it
 * answered; apart from that, it lets messages appear on the phones of people, and reports receipts
 * until the service has stored them.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { OutgoingMessage, Receipt } from '../../src/channels/channel.ts';
import {
  type CallAnswer,
  type ChannelCall,
  openJournal,
  type PhoneMessage,
  type StoredReceipt,
} from '../checker/logs.ts';

/** How a channel treats the messages to a phone. */
export type Manner = {
  /**
   * `reset` and `hang` accept the message and never say so; `drop` loses it and never says so.
   */
  does: 'accept' | 'refuse' | 'reset' | 'hang' | 'drop';
  /** What it reports afterwards, in this order; nothing: it stays silent. */
  receipts?: readonly Receipt[];
  /** Whether the receipts come before its answer. */
  isEarly?: boolean;
};
export type Plan = Partial<Record<Channel, Manner>>;

export const CONFIRMS: Manner = { does: 'accept', receipts: ['delivered', 'read'] };

const ANSWERS: Record<Manner['does'], CallAnswer> = {
  accept: 'accepted',
  refuse: 'refused',
  reset: 'accepted_unheard',
  hang: 'accepted_unheard',
  drop: 'dropped_unheard',
};

const RECEIPT_PAUSE_MS = 50;

/** The clock of the run, which the test can put forward together with the database's times. */
export type RunClock = { now(): number; pass(seconds: number): void };

export function createRunClock(): RunClock {
  let passedMs = 0;
  return {
    now: () => Date.now() + passedMs,
    pass: (seconds) => {
      passedMs += seconds * 1_000;
    },
  };
}

type Ask = Pick<OutgoingMessage, 'ref' | 'load' | 'text' | 'code'> & { phone: string };

export type Operator = Awaited<ReturnType<typeof openOperator>>;

export async function openOperator(options: {
  folder: string;
  clock: RunClock;
  receiptsPort: number;
}) {
  const { clock } = options;
  const door = openJournal<ChannelCall | StoredReceipt>(path.join(options.folder, 'channels.log'));
  const phones = openJournal<PhoneMessage>(path.join(options.folder, 'phones.log'));
  const plans = new Map<string, Plan>();
  const newest = new Map<string, Receipt>();
  const codes = new Map<string, string>();
  const taken = new Map<string, string>();
  const reports = new Set<Promise<void>>();
  let isClosing = false;

  const show = (channel: Channel, ask: Ask) => {
    const { phone, text, code = null } = ask;
    phones.write({ at: clock.now(), phone, channel, text, code });
    if (code !== null) codes.set(phone, code);
  };

  const report = async (channel: Channel, ask: Ask, receipts: readonly Receipt[]) => {
    for (const receipt of receipts) {
      newest.set(nameOf(ask.ref), receipt);
      while (!isClosing && !(await isStored(options.receiptsPort, { ref: ask.ref, receipt }))) {
        await pause(RECEIPT_PAUSE_MS);
      }
      if (isClosing) return;
      door.write({ event: 'receipt', at: clock.now(), channel, ref: ask.ref, receipt });
    }
  };
  const reportLater = (channel: Channel, ask: Ask, receipts: readonly Receipt[]) => {
    const reporting = report(channel, ask, receipts).finally(() => reports.delete(reporting));
    reports.add(reporting);
  };

  const receive = async (channel: Channel, ask: Ask, response: ServerResponse) => {
    const manner = plans.get(ask.phone)?.[channel] ?? CONFIRMS;
    const answer = ANSWERS[manner.does];
    const isTaken = answer !== 'refused' && answer !== 'dropped_unheard';
    const providerId = isTaken ? `${channel}-${nameOf(ask.ref)}` : null;
    const { ref, phone, load } = ask;
    door.write({ event: 'call', at: clock.now(), channel, ref, phone, load, answer, providerId });
    if (providerId !== null) {
      taken.set(`${channel}-${nameOf(ask.ref)}`, providerId);
      show(channel, ask);
    }

    const receipts = isTaken ? (manner.receipts ?? []) : [];
    if (manner.isEarly) await report(channel, ask, receipts);
    else if (receipts.length > 0) setImmediate(() => reportLater(channel, ask, receipts));
    if (manner.does === 'hang') return;
    if (answer === 'accepted') response.end(JSON.stringify({ id: providerId }));
    else if (answer === 'refused') response.writeHead(422).end('{}');
    else response.destroy();
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const [, channel, what] = (request.url ?? '').split('/') as [string, Channel, string];
    const ask = (await json(request)) as Ask;
    if (what === 'send') return await receive(channel, ask, response);
    const receipt = newest.get(nameOf(ask.ref)) ?? null;
    response.end(
      JSON.stringify({ receipt, id: taken.get(`${channel}-${nameOf(ask.ref)}`) ?? null }),
    );
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    door,
    phones,
    plan: (phone: string, plan: Plan) => void plans.set(phone.replace('+', ''), plan),
    /** The newest code a person sees on the phone. */
    codeOn: (phone: string) => codes.get(phone.replace('+', '')),
    isReporting: () => reports.size > 0,
    /** From now on, when asked for a status, it knows nothing of what it has reported. */
    forget: () => newest.clear(),
    async close() {
      isClosing = true;
      await Promise.all(reports);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function nameOf({ messageId, attempt }: Ask['ref']): string {
  return `${messageId}-${attempt}`;
}

/** Providers repeat a receipt until it is taken; a service that is away takes nothing. */
async function isStored(port: number, body: object): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
