/**
 * Simulates the providers of WhatsApp, Telegram and SMS as one HTTP server outside of the service,
 * so that it survives when the service is killed. It logs every call with its answer, logs the
 * messages that phones show, and repeats receipts until the service has stored them.
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
export type Behaviour = {
  /** `reset` and `hang` accept the message without answering. `drop` loses it without answering. */
  does: 'accept' | 'refuse' | 'reset' | 'hang' | 'drop';
  /** The receipts it reports afterwards, in this order. */
  receipts?: readonly Receipt[];
  /** Whether the receipts are reported before the answer. */
  isEarly?: boolean;
};
export type Plan = Partial<Record<Channel, Behaviour>>;

export const CONFIRMS: Behaviour = { does: 'accept', receipts: ['delivered', 'read'] };

const ANSWERS: Record<Behaviour['does'], CallAnswer> = {
  accept: 'accepted',
  refuse: 'refused',
  reset: 'accepted_unanswered',
  hang: 'accepted_unanswered',
  drop: 'lost_unanswered',
};

const RECEIPT_PAUSE_MS = 50;

/** The clock of the run, which the test advances together with the times in the database. */
export type RunClock = { now(): number; advance(seconds: number): void };

export function createRunClock(): RunClock {
  let advancedMs = 0;
  return {
    now: () => Date.now() + advancedMs,
    advance: (seconds) => {
      advancedMs += seconds * 1_000;
    },
  };
}

type SendRequest = Pick<OutgoingMessage, 'ref' | 'content' | 'text' | 'code'> & { phone: string };

export async function openProviderSimulator(options: {
  folder: string;
  clock: RunClock;
  /** Asked for each try: of several nodes any can take a receipt. */
  receiptsPort: () => number;
}) {
  const { clock } = options;
  const channels = openJournal<ChannelCall | StoredReceipt>(
    path.join(options.folder, 'channels.log'),
  );
  const phones = openJournal<PhoneMessage>(path.join(options.folder, 'phones.log'));
  const plans = new Map<string, Plan>();
  const newestReceipts = new Map<string, Receipt>();
  const codes = new Map<string, string>();
  const acceptedIds = new Map<string, string>();
  const reports = new Set<Promise<void>>();
  let isClosing = false;

  const show = (channel: Channel, message: SendRequest) => {
    const { phone, text, code = null } = message;
    phones.write({ at: clock.now(), phone, channel, text, code });
    if (code !== null) codes.set(phone, code);
  };

  const report = async (channel: Channel, message: SendRequest, receipts: readonly Receipt[]) => {
    for (const receipt of receipts) {
      newestReceipts.set(attemptKey(message.ref), receipt);
      while (
        !isClosing &&
        !(await isStored(options.receiptsPort(), { ref: message.ref, receipt }))
      ) {
        await pause(RECEIPT_PAUSE_MS);
      }
      if (isClosing) return;
      channels.write({ event: 'receipt', at: clock.now(), channel, ref: message.ref, receipt });
    }
  };
  const reportLater = (channel: Channel, message: SendRequest, receipts: readonly Receipt[]) => {
    const reporting = report(channel, message, receipts).finally(() => reports.delete(reporting));
    reports.add(reporting);
  };

  const receive = async (channel: Channel, message: SendRequest, response: ServerResponse) => {
    const behaviour = plans.get(message.phone)?.[channel] ?? CONFIRMS;
    const answer = ANSWERS[behaviour.does];
    const isAccepted = answer !== 'refused' && answer !== 'lost_unanswered';
    const providerId = isAccepted ? `${channel}-${attemptKey(message.ref)}` : null;
    const { ref, phone, content } = message;
    channels.write({
      event: 'call',
      at: clock.now(),
      channel,
      ref,
      phone,
      content,
      answer,
      providerId,
    });
    if (providerId !== null) {
      acceptedIds.set(`${channel}-${attemptKey(message.ref)}`, providerId);
      show(channel, message);
    }

    const receipts = isAccepted ? (behaviour.receipts ?? []) : [];
    if (behaviour.isEarly) await report(channel, message, receipts);
    else if (receipts.length > 0) setImmediate(() => reportLater(channel, message, receipts));
    if (behaviour.does === 'hang') return;
    if (answer === 'accepted') response.end(JSON.stringify({ id: providerId }));
    else if (answer === 'refused') response.writeHead(422).end('{}');
    else response.destroy();
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const [, channel, what] = (request.url ?? '').split('/') as [string, Channel, string];
    const message = (await json(request)) as SendRequest;
    if (what === 'send') return await receive(channel, message, response);
    const receipt = newestReceipts.get(attemptKey(message.ref)) ?? null;
    const id = acceptedIds.get(`${channel}-${attemptKey(message.ref)}`) ?? null;
    response.end(JSON.stringify({ receipt, id }));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    channels,
    phones,
    plan: (phone: string, plan: Plan) => void plans.set(phone.replace('+', ''), plan),
    /** The newest code that the phone shows. */
    findShownCode: (phone: string) => codes.get(phone.replace('+', '')),
    isReporting: () => reports.size > 0,
    /** Makes later status queries find none of the receipts reported so far. */
    forgetReceipts: () => newestReceipts.clear(),
    async close() {
      isClosing = true;
      await Promise.all(reports);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function attemptKey({ messageId, attempt }: SendRequest['ref']): string {
  return `${messageId}-${attempt}`;
}

/** False while the service is down. Providers repeat a receipt until it is stored. */
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
