import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type {
  AttemptRef,
  ChannelAdapter,
  Load,
  OutgoingMessage,
  Outcome,
  Receipt,
  ReceiptReport,
} from '../channels/channel.ts';
import type { Clock } from '../clock.ts';
import type { Phone } from '../phone.ts';
import { behaviourOf, NO_INTERFERENCE, type Switches, testNumberOf } from './test-numbers.ts';
import { createVirtualPhone, type VirtualPhone } from './virtual-phone.ts';

export const DELIVERED_AFTER_MS = 1_000;
export const READ_AFTER_MS = 3_000;

const EVERYTHING: ReadonlySet<Load> = new Set<Load>(['code', 'code_with_link', 'text', 'group']);

export type Sandbox = {
  readonly phone: VirtualPhone;
  readonly adapters: Readonly<Record<Channel, ChannelAdapter>>;
  switches: Switches;
  /** Where receipts go; set once by the composition root. */
  onReceipt(record: (receipt: ReceiptReport) => Promise<unknown>): void;
  /** Hears which message has changed, once that is stored; call the result to stop. */
  onChange(hear: (messageId: string) => void): () => void;
  stop(): void;
};

/**
 * Three channels that behave like real ones behind the same interface: they accept, refuse, hang, and confirm later,
 * as the number or a switch says; what they accept lies in the virtual phone.
 */
export function createSandbox(clock: Clock): Sandbox {
  const phone = createVirtualPhone();
  const timers = new Set<NodeJS.Timeout>();
  const listeners = new Set<(messageId: string) => void>();
  let record: (receipt: ReceiptReport) => Promise<unknown> = () => Promise.resolve();

  const report = async (receipt: ReceiptReport) => {
    // A receipt that could not be stored is like one that got lost on the way: the status can be asked for.
    await record(receipt).catch(() => undefined);
    for (const hear of listeners) hear(receipt.ref.messageId);
  };

  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  const confirmLater = (ref: AttemptRef) => {
    later(DELIVERED_AFTER_MS, () => report({ ref, receipt: 'delivered' }));
    later(READ_AFTER_MS, () => report({ ref, receipt: 'read' }));
  };

  const send = async (
    channel: Channel,
    message: OutgoingMessage,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const number =
      'phone' in message.to ? testNumberOf(message.to.phone, message.isTest) : undefined;
    const behaviour = behaviourOf(channel, number, sandbox.switches);
    switch (behaviour.does) {
      case 'refuse':
        return { result: 'refused', reason: behaviour.reason };
      case 'hang':
        return await new Promise((resolve) => {
          signal.addEventListener('abort', () =>
            resolve({ result: 'unknown', reason: 'Канал не ответил вовремя' }),
          );
        });
      case 'accept':
        receive(channel, message);
        if (behaviour.confirms) confirmLater(message.ref);
        break;
      case 'accept_then_fail':
        later(DELIVERED_AFTER_MS, () =>
          report({ ref: message.ref, receipt: 'failed', reason: behaviour.reason }),
        );
        break;
    }
    return { result: 'accepted', providerId: `sandbox-${channel}-${message.ref.attempt}` };
  };

  const receive = (channel: Channel, message: OutgoingMessage) =>
    phone.receive({
      messageId: message.ref.messageId,
      companyId: message.ref.companyId,
      keyId: message.keyId,
      isTest: message.isTest,
      phone: 'phone' in message.to ? `+${message.to.phone}` : message.to.group,
      channel,
      kind: message.load === 'group' ? 'group' : message.load === 'text' ? 'link' : 'otp',
      text: message.text,
      code: message.code ?? null,
      link: message.link ?? null,
      at: clock.now(),
    });

  /** Receipts that were lost with a restart can be asked for, as with a real provider. */
  const readStatus = (channel: Channel, isTest: boolean, to: Phone, secondsAgo: number) => {
    const behaviour = behaviourOf(channel, testNumberOf(to, isTest), sandbox.switches);
    let receipt: Receipt | undefined;
    if (behaviour.does === 'accept_then_fail') receipt = 'failed';
    else if (behaviour.does === 'accept' && behaviour.confirms) {
      if (secondsAgo * 1000 >= DELIVERED_AFTER_MS) receipt = 'delivered';
    }
    return Promise.resolve(receipt);
  };

  const adapterOf = (channel: Channel): ChannelAdapter => ({
    name: `sandbox ${channel}`,
    carries: EVERYTHING,
    send: (message, signal) => send(channel, message, signal),
    readStatus: (status) => readStatus(channel, status.isTest, status.to, status.secondsAgo),
  });

  const sandbox: Sandbox = {
    phone,
    adapters: Object.fromEntries(
      CHANNELS.map((channel) => [channel, adapterOf(channel)]),
    ) as Record<Channel, ChannelAdapter>,
    switches: NO_INTERFERENCE,
    onReceipt(recorder) {
      record = recorder;
    },
    onChange(hear) {
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
      };
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
  return sandbox;
}
