import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import type { Phone } from '../phone.ts';

/** Names one attempt: the reference we hand to a provider and get back in its receipts. */
export type AttemptRef = { companyId: CompanyId; messageId: MessageId; attempt: number };

/** What a message asks of a channel. Not every channel can carry everything. */
export type Load = 'code' | 'code_with_link' | 'text' | 'group';

export type OutgoingMessage = {
  ref: AttemptRef;
  keyId: number;
  isTest: boolean;
  to: { phone: Phone } | { group: string };
  load: Load;
  text: string;
  code?: string | undefined;
  link?: string | undefined;
};

/**
 * What came of one attempt. `refused` and `unavailable` are definite: nothing was sent. Everything
 * that happens after the first byte has left and is not a clear answer is `unknown`, and is never
 * tried again on that channel.
 */
export type Outcome =
  | { result: 'accepted'; providerId: string }
  | { result: 'refused'; reason: string }
  | { result: 'unavailable'; reason: string }
  | { result: 'unknown'; reason: string };

export type Receipt = 'failed' | 'delivered' | 'read';
export type ReceiptReport = { ref: AttemptRef; receipt: Receipt; reason?: string | undefined };

export type StatusQuestion = {
  ref: AttemptRef;
  to: Phone;
  isTest: boolean;
  /** Since the acceptance. */
  secondsAgo: number;
};

/** A way out to phones. One file per provider. */
export type ChannelAdapter = {
  readonly name: string;
  readonly carries: ReadonlySet<Load>;
  send(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
  /** Where the provider can be asked: the newest receipt of an accepted attempt. */
  readStatus?(question: StatusQuestion): Promise<Receipt | undefined>;
};

export type Channels = {
  /** True while no provider is configured: nothing leaves the machine. */
  readonly isSandbox: boolean;
  /** The adapter that serves a channel, for live or for test keys. */
  adapter(channel: Channel, isTest: boolean): ChannelAdapter | undefined;
  /** How many messages are with a channel that has not answered yet. */
  waiting(): number;
};
