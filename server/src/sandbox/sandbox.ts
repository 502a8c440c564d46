import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type {
  ChannelAdapter,
  ContentKind,
  KnownReceipt,
  Outcome,
  OutgoingMessage,
  StatusQuery,
} from '../channels/channel.ts';
import type { Clock } from '../clock.ts';
import { createReceipts, type Receipts } from './receipts.ts';
import { SAMPLE_TEMPLATES } from './sample-templates.ts';
import { behaviourOf, findTestNumber, NO_INTERFERENCE, type Switches } from './test-numbers.ts';
import {
  createVirtualPhone,
  type InboxQuery,
  type PhoneMessage,
  type VirtualPhone,
} from './virtual-phone.ts';

export const DELIVERED_AFTER_MS = 1_000;
export const READ_AFTER_MS = 3_000;

const ALL_CONTENT: ReadonlySet<ContentKind> = new Set<ContentKind>([
  'code',
  'code_with_link',
  'text',
  'group',
  'broadcast',
]);

/** What one node tells the others; times as text. */
export type SandboxNews =
  | { received: PhoneMessage }
  | { cleared: InboxQuery | null; until: Date }
  | { switched: Switches }
  | { changed: string };

export type Sandbox = Pick<Receipts, 'onReceipt' | 'onChange' | 'stop'> & {
  readonly phone: VirtualPhone;
  readonly adapters: Readonly<Record<Channel, ChannelAdapter>>;
  switches: Switches;
  /** Called with everything that happens on this node. */
  onNews(listener: (news: SandboxNews) => void): void;
  /** Takes over what has happened on another node, as it comes out of JSON. */
  hear(news: SandboxNews): void;
};

/**
 * Three channels that behave like real ones behind the same interface: they accept, refuse, hang,
 * and confirm later, depending on the number or a switch. The virtual phone shows what they accept.
 */
export function createSandbox(clock: Clock): Sandbox {
  const shown = createVirtualPhone();
  const receipts = createReceipts();
  const changes = createListeners<string>();
  const news = createListeners<SandboxNews>();
  let switches: Switches = NO_INTERFERENCE;
  receipts.onChange((messageId) => {
    changes.tell(messageId);
    news.tell({ changed: messageId });
  });
  const phone: VirtualPhone = {
    ...shown,
    receive(message) {
      shown.receive(message);
      news.tell({ received: message });
    },
    clear(query) {
      shown.clear(query);
      news.tell({ cleared: query ?? null, until: clock.now() });
    },
  };
  const createAdapter = (channel: Channel): ChannelAdapter => ({
    name: `sandbox ${channel}`,
    carries: ALL_CONTENT,
    send: (message, signal) => send({ channel, message, signal }),
    ...(channel === 'whatsapp' && { listTemplates: () => Promise.resolve(SAMPLE_TEMPLATES) }),
    readStatus: (question) => Promise.resolve(findStatus(channel, question, sandbox.switches)),
  });

  const send = async (sending: Sending): Promise<Outcome> => {
    const { channel, message } = sending;
    const to = 'phone' in message.to ? message.to.phone : undefined;
    const number = to && findTestNumber(to, message.isTest);
    const behaviour = behaviourOf(channel, number, sandbox.switches);
    switch (behaviour.does) {
      case 'refuse':
        return { result: 'refused', reason: behaviour.reason };
      case 'hang':
        return await untilAborted(sending.signal);
      case 'accept':
        phone.receive(toPhoneMessage(channel, message, clock.now()));
        if (behaviour.confirms) {
          receipts.later(DELIVERED_AFTER_MS, { ref: message.ref, receipt: 'delivered' });
          // As in life, an SMS is delivered and nobody knows whether it was read.
          if (channel !== 'sms') {
            receipts.later(READ_AFTER_MS, { ref: message.ref, receipt: 'read' });
          }
        }
        break;
      case 'accept_then_fail':
        receipts.later(DELIVERED_AFTER_MS, {
          ref: message.ref,
          receipt: 'failed',
          reason: behaviour.reason,
        });
        break;
    }
    return { result: 'accepted', providerId: `sandbox-${channel}-${message.ref.attempt}` };
  };

  const sandbox: Sandbox = {
    phone,
    adapters: Object.fromEntries(
      CHANNELS.map((channel) => [channel, createAdapter(channel)]),
    ) as Record<Channel, ChannelAdapter>,
    get switches() {
      return switches;
    },
    set switches(changed) {
      switches = changed;
      news.tell({ switched: changed });
    },
    onReceipt: receipts.onReceipt,
    onChange: changes.add,
    onNews: news.add,
    hear(heard) {
      if ('received' in heard)
        shown.receive({ ...heard.received, at: new Date(heard.received.at) });
      else if ('changed' in heard) changes.tell(heard.changed);
      else if ('switched' in heard) switches = heard.switched;
      else shown.clear(readQuery(heard.cleared), new Date(heard.until));
    },
    stop: receipts.stop,
  };
  return sandbox;
}

function createListeners<Told>() {
  const listeners = new Set<(told: Told) => void>();
  return {
    add(listener: (told: Told) => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell(told: Told) {
      for (const listener of listeners) listener(told);
    },
  };
}

function readQuery(query: InboxQuery | null): InboxQuery | undefined {
  if (query === null) return undefined;
  return { ...query, since: query.since && new Date(query.since) };
}

type Sending = { channel: Channel; message: OutgoingMessage; signal: AbortSignal };

function untilAborted(signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () =>
      resolve({ result: 'unknown', reason: 'Канал не ответил вовремя' }),
    );
  });
}

const PHONE_KINDS = {
  code: 'otp',
  code_with_link: 'otp',
  text: 'link',
  group: 'group',
  broadcast: 'broadcast',
} as const satisfies Record<ContentKind, PhoneMessage['kind']>;

function toPhoneMessage(channel: Channel, message: OutgoingMessage, at: Date): PhoneMessage {
  return {
    messageId: message.ref.messageId,
    companyId: message.ref.companyId,
    keyId: message.keyId,
    isTest: message.isTest,
    phone: 'phone' in message.to ? `+${message.to.phone}` : message.to.group,
    channel,
    kind: PHONE_KINDS[message.content],
    text: message.text,
    code: message.code ?? null,
    link: message.link ?? null,
    at,
  };
}

/** Receipts that were lost in a restart can be queried, as with a real provider. */
function findStatus(
  channel: Channel,
  { to, isTest, secondsAgo }: StatusQuery,
  switches: Switches,
): KnownReceipt | undefined {
  if (secondsAgo * 1000 < DELIVERED_AFTER_MS) return undefined;
  const behaviour = behaviourOf(channel, findTestNumber(to, isTest), switches);
  if (behaviour.does === 'accept_then_fail') {
    return { receipt: 'failed', reason: behaviour.reason };
  }
  const isDelivered = behaviour.does === 'accept' && behaviour.confirms;
  return isDelivered ? { receipt: 'delivered' } : undefined;
}
