import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type {
  ChannelAdapter,
  ContentKind,
  KnownReceipt,
  Outcome,
  OutgoingMessage,
  StatusQuery,
} from '../../src/channels/channel.ts';

export type Script = (message: OutgoingMessage, signal: AbortSignal) => Outcome | Promise<Outcome>;
type StatusScript = (query: StatusQuery) => Promise<KnownReceipt | undefined>;

/** A channel whose answers are scripted per phone. It accepts messages to any other phone. */
export type ScriptedChannel = ChannelAdapter & {
  /** Sets the answer to later messages to this phone. */
  onSend(phone: string, script: Script): void;
  onStatusQuery(phone: string, script: StatusScript): void;
  /** The messages sent to this phone, oldest first. */
  sentTo(phone: string): OutgoingMessage[];
  statusQueriesFor(phone: string): StatusQuery[];
};

export const EVERYTHING: readonly ContentKind[] = ['code', 'code_with_link', 'text', 'group'];

export const accepts: Script = (message) => ({
  result: 'accepted',
  providerId: `${message.ref.messageId}-${message.ref.attempt}`,
});
export const refuses: Script = () => ({ result: 'refused', reason: 'Номера нет' });
export const answersUnavailable: Script = () => ({
  result: 'unavailable',
  reason: 'Канал отключён',
});
export const answersUnknown: Script = () => ({ result: 'unknown', reason: 'Связь оборвалась' });
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
  carries: readonly ContentKind[] = EVERYTHING,
): ScriptedChannel {
  const scripts = new Map<string, Script>();
  const statuses = new Map<string, StatusScript>();
  const sent: OutgoingMessage[] = [];
  const queries: StatusQuery[] = [];
  return {
    name: `scripted ${channel}`,
    carries: new Set(carries),
    // Not async: a script that throws does so synchronously, as a faulty adapter would.
    send(message, signal) {
      sent.push(message);
      const outcome = (scripts.get(phoneOf(message)) ?? accepts)(message, signal);
      return Promise.resolve(outcome);
    },
    async readStatus(query) {
      queries.push(query);
      return await statuses.get(`+${query.to}`)?.(query);
    },
    onSend: (phone, script) => scripts.set(phone, script),
    onStatusQuery: (phone, script) => statuses.set(phone, script),
    sentTo: (phone) => sent.filter((message) => phoneOf(message) === phone),
    statusQueriesFor: (phone) => queries.filter((query) => `+${query.to}` === phone),
  };
}

export function scriptedChannels(): Record<Channel, ScriptedChannel> {
  return Object.fromEntries(
    CHANNELS.map((channel) => [channel, scriptedChannel(channel)]),
  ) as Record<Channel, ScriptedChannel>;
}

/** How often each channel was called to send to a phone. */
export function countSends(
  channels: Record<Channel, ScriptedChannel>,
  phone: string,
): Record<Channel, number> {
  return {
    whatsapp: channels.whatsapp.sentTo(phone).length,
    telegram: channels.telegram.sentTo(phone).length,
    sms: channels.sms.sentTo(phone).length,
  };
}
