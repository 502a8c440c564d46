import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import type { Phone } from '../phone.ts';

/** The reference of one attempt: given to the provider, and returned in its receipts. */
export type AttemptRef = { companyId: CompanyId; messageId: MessageId; attempt: number };

/** The kind of content. A provider may support only some of them. */
export type ContentKind = 'code' | 'code_with_link' | 'text' | 'group' | 'broadcast';

/** A phone, or a group by its id in the messenger. */
export type Recipient = { phone: Phone } | { group: string };

/** An approved template of a messenger. */
export type MarketingTemplate = {
  name: string;
  language: string;
  /** With its variables as {{1}}, {{2}} … */
  body: string;
  /** How many variables the body has. */
  variables: number;
  /** It has a button that opens the link of the message. */
  hasLink: boolean;
};

/** A template with a text for each variable of its body. */
export type FilledTemplate = { name: string; language: string; variables: readonly string[] };

export type OutgoingMessage = {
  ref: AttemptRef;
  keyId: number;
  isTest: boolean;
  to: Recipient;
  content: ContentKind;
  text: string;
  /** The language of `text`. Providers that send templates choose the template by it. */
  language: 'ru' | 'kk' | 'both';
  code?: string | undefined;
  /** Time left until the code expires; a later delivery is useless. */
  ttlSeconds?: number | undefined;
  link?: string | undefined;
  /** The name that an SMS comes from; the one in the provider's settings when not given. */
  sender?: string | undefined;
  /** Of a broadcast, for providers that send it only by a template. */
  template?: FilledTemplate | undefined;
  /** One of many that nobody waits for: it gives way to all others. */
  isBulk?: true | undefined;
};

/**
 * What came of one attempt. `refused` and `unavailable` are definite: nothing was sent. Everything
 * that happens after the first byte has left and is not a clear answer is `unknown`, and is never
 * tried again on that channel. Reasons are Russian: the history shows them.
 */
export type Outcome =
  | Accepted
  /** The provider rejected this message; another provider may still accept it. */
  | {
      result: 'refused';
      reason: string;
      /** The recipient wants no broadcasts, by whatever way. */
      isUnsubscribed?: true;
      /**
       * The provider was not asked: it has said before that it cannot be, or there was no room in
       * time. The circuit breaker does not count it.
       */
      isNotOffered?: true;
    }
  /** The provider cannot be used now: unreachable, unpaid, or over its limits. */
  | {
      result: 'unavailable';
      reason: string;
      /** As above. */
      isNotOffered?: true;
    }
  | {
      result: 'unknown';
      reason: string;
      /** The provider that may have taken the message. */
      provider?: string;
      /**
       * Lost with the connection, like everything in flight on it. The circuit breaker does not
       * count it; the next message shows whether the provider works.
       */
      isConnectionLost?: true;
    };

export type Accepted = {
  result: 'accepted';
  providerId: string;
  /** The provider never reports what became of a message. */
  hasNoReceipts?: true;
  /** The ids of all parts of a multi-part message; each part has its own receipt. */
  partIds?: readonly string[];
};

export type AcceptanceQuery = Pick<OutgoingMessage, 'ref' | 'isTest' | 'to' | 'content'>;

export type Receipt = 'failed' | 'delivered' | 'read';
export type KnownReceipt = { receipt: Receipt; reason?: string | undefined };
export type ReceiptReport = KnownReceipt & {
  ref: AttemptRef;
  /** Who reports it. A receipt counts only for the provider that made the attempt. */
  provider?: string | undefined;
};

export type StatusQuery = {
  ref: AttemptRef;
  /** The provider's id of the message; undefined when its acceptance is unknown. */
  providerId: string | undefined;
  to: Phone;
  isTest: boolean;
  /** Time since the acceptance. */
  secondsAgo: number;
};

/** One channel as the domain sees it: all its providers behind one interface. */
export type ChannelAdapter = {
  readonly name: string;
  /** May change while the server runs: see `listTemplates`. */
  readonly carries: ReadonlySet<ContentKind>;
  /**
   * How many broadcast messages a second the providers allow together; undefined when one of those
   * that carry broadcasts has no limit.
   */
  readonly ratePerSecond?: number | undefined;
  /** How many bulk messages its providers take at a time; any more would wait in vain. */
  readonly bulkInFlightMax?: number | undefined;
  /** Whether this recipient can be reached now. Absent when everybody always can. */
  canReach?(to: Recipient, content: ContentKind): Promise<boolean>;
  send(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
  /** The newest receipt of an accepted attempt, where the provider has a status query. */
  readStatus?(question: StatusQuery, signal: AbortSignal): Promise<KnownReceipt | undefined>;
  /**
   * Asks the providers that support queries by our reference whether one accepted the message.
   * Nothing is sent. Undefined when none confirms it.
   */
  findAccepted?(question: AcceptanceQuery, signal: AbortSignal): Promise<Accepted | undefined>;
  /**
   * Resumes a fallback attempt whose process died, where a provider can be queried for it or
   * deduplicates repeats. It may be sent now for the first time. Without this method the outcome
   * stays unknown.
   */
  recover?(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
  /**
   * The templates by which a broadcast can be sent, where a provider has such. It carries broadcasts
   * only while there are any. Throws when they cannot be read.
   */
  listTemplates?(signal: AbortSignal): Promise<readonly MarketingTemplate[]>;
};

export type Channels = {
  /** True while no provider is configured: nothing leaves the machine. */
  readonly isSandbox: boolean;
  /** The adapter that serves a channel, for live or for test keys. */
  adapter(channel: Channel, isTest: boolean): ChannelAdapter | undefined;
  /** Messages handed to a channel and not answered yet. */
  waiting(): number;
  /** Messages other than bulk ones that were handed to a channel since the last call. */
  takeUrgentCount(channel: Channel): number;
};
