import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import type { Phone } from '../phone.ts';

/** Names one attempt: the reference we hand to a provider and get back in its receipts. */
export type AttemptRef = { companyId: CompanyId; messageId: MessageId; attempt: number };

/** What a message asks of a channel. Not every provider can carry everything. */
export type Load = 'code' | 'code_with_link' | 'text' | 'group';

/** To whom: a phone, or a group by the id that the messenger knows it by. */
export type Recipient = { phone: Phone } | { group: string };

export type OutgoingMessage = {
  ref: AttemptRef;
  keyId: number;
  isTest: boolean;
  to: Recipient;
  load: Load;
  text: string;
  /** As the text is written; providers whose templates carry the text choose theirs by it. */
  language: 'ru' | 'kk' | 'both';
  code?: string | undefined;
  /** What is left of the code's life; a message that comes later is worth nothing. */
  ttlSeconds?: number | undefined;
  link?: string | undefined;
};

/**
 * What came of one attempt. `refused` and `unavailable` are definite: nothing was sent. Everything
 * that happens after the first byte has left and is not a clear answer is `unknown`, and is never
 * tried again on that channel. Reasons are Russian: the history shows them.
 */
export type Outcome =
  | Accepted
  /** The provider said no to this message; another one would have to be asked. */
  | { result: 'refused'; reason: string }
  /** The provider cannot be used now: not reached, not paid, over its limits. */
  | { result: 'unavailable'; reason: string }
  | {
      result: 'unknown';
      reason: string;
      /** Many were lost at once with the link; the next one shows whether the provider works. */
      isLinkLost?: true;
    };

export type Accepted = {
  result: 'accepted';
  providerId: string;
  /** The ids of the parts, where a message travels in several, each with its own receipt. */
  partIds?: readonly string[];
};

export type AcceptanceQuestion = Pick<OutgoingMessage, 'ref' | 'isTest' | 'to' | 'load'>;

export type Receipt = 'failed' | 'delivered' | 'read';
export type KnownReceipt = { receipt: Receipt; reason?: string | undefined };
export type ReceiptReport = KnownReceipt & { ref: AttemptRef };

export type StatusQuestion = {
  ref: AttemptRef;
  /** Its own id for the message; undefined when nobody knows whether it took it. */
  providerId: string | undefined;
  to: Phone;
  isTest: boolean;
  /** Since the acceptance. */
  secondsAgo: number;
};

/** A way out to phones, as the domain sees it: the providers of a channel behind one door. */
export type ChannelAdapter = {
  readonly name: string;
  readonly carries: ReadonlySet<Load>;
  /** Only where not everybody can be written to at any time: whether this one can, now. */
  canReach?(to: Recipient, load: Load): Promise<boolean>;
  send(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
  /** Where the provider can be asked: the newest receipt of an accepted attempt. */
  readStatus?(question: StatusQuestion, signal: AbortSignal): Promise<KnownReceipt | undefined>;
  /**
   * Where providers can be asked by our reference: whether one of them has taken a message. Nothing
   * is sent. Undefined when none says so.
   */
  findAccepted?(question: AcceptanceQuestion, signal: AbortSignal): Promise<Accepted | undefined>;
  /**
   * Takes up a fallback whose process died, where a provider can be asked for it, or knows a repeat
   * for what it is; it may be sent now for the first time. Without this the outcome stays unknown.
   */
  recover?(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
};

export type Channels = {
  /** True while no provider is configured: nothing leaves the machine. */
  readonly isSandbox: boolean;
  /** The adapter that serves a channel, for live or for test keys. */
  adapter(channel: Channel, isTest: boolean): ChannelAdapter | undefined;
  /** How many messages are with a channel that has not answered yet. */
  waiting(): number;
};
