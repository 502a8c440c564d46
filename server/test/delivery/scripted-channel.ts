import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type {
  ChannelAdapter,
  KnownReceipt,
  Load,
  Outcome,
  OutgoingMessage,
  StatusQuestion,
} from '../../src/channels/channel.ts';

export type Script = (message: OutgoingMessage, signal: AbortSignal) => Outcome | Promise<Outcome>;
type StatusScript = (question: StatusQuestion) => Promise<KnownReceipt | undefined>;

/**
 * The outside edge of a channel: what it answers is written per phone, and it accepts what nothing
 * is written for.
 */
export type ScriptedChannel = ChannelAdapter & {
  /** From now on, for messages to this phone. */
  onSend(phone: string, script: Script): void;
  onAsk(phone: string, script: StatusScript): void;
  /** What this phone's messages asked of it, oldest first. */
  sentTo(phone: string): OutgoingMessage[];
  askedAbout(phone: string): StatusQuestion[];
};

export const EVERYTHING: readonly Load[] = ['code', 'code_with_link', 'text', 'group'];

export const accepts: Script = (message) => ({
  result: 'accepted',
  providerId: `${message.ref.messageId}-${message.ref.attempt}`,
});
export const refuses: Script = () => ({ result: 'refused', reason: 'Номера нет' });
export const isAway: Script = () => ({ result: 'unavailable', reason: 'Канал отключён' });
export const isUnsure: Script = () => ({ result: 'unknown', reason: 'Связь оборвалась' });
export const throws: Script = () => {
  throw new Error('a bug in the adapter');
};
export const rejects: Script = () => Promise.reject(new Error('a bug in the adapter'));
export const hangs: Script = () => new Promise<Outcome>(() => undefined);

function phoneOf({ to }: OutgoingMessage): string {
  return 'phone' in to ? `+${to.phone}` : to.group;
}

export function scriptedChannel(
  channel: Channel,
  carries: readonly Load[] = EVERYTHING,
): ScriptedChannel {
  const scripts = new Map<string, Script>();
  const statuses = new Map<string, StatusScript>();
  const sent: OutgoingMessage[] = [];
  const asked: StatusQuestion[] = [];
  return {
    name: `scripted ${channel}`,
    carries: new Set(carries),
    // Not async: a script that throws, throws right here, as a careless adapter would.
    send(message, signal) {
      sent.push(message);
      const outcome = (scripts.get(phoneOf(message)) ?? accepts)(message, signal);
      return Promise.resolve(outcome);
    },
    async readStatus(question) {
      asked.push(question);
      return await statuses.get(`+${question.to}`)?.(question);
    },
    onSend: (phone, script) => scripts.set(phone, script),
    onAsk: (phone, script) => statuses.set(phone, script),
    sentTo: (phone) => sent.filter((message) => phoneOf(message) === phone),
    askedAbout: (phone) => asked.filter((question) => `+${question.to}` === phone),
  };
}

export function scriptedChannels(): Record<Channel, ScriptedChannel> {
  return Object.fromEntries(
    CHANNELS.map((channel) => [channel, scriptedChannel(channel)]),
  ) as Record<Channel, ScriptedChannel>;
}

/** How often each channel was asked to send to a phone. */
export function countsFor(
  channels: Record<Channel, ScriptedChannel>,
  phone: string,
): Record<Channel, number> {
  return {
    whatsapp: channels.whatsapp.sentTo(phone).length,
    telegram: channels.telegram.sentTo(phone).length,
    sms: channels.sms.sentTo(phone).length,
  };
}
