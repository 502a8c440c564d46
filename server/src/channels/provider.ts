import type { IncomingHttpHeaders } from 'node:http';
import type { Channel, GroupChannel } from '@zhiber/contract/api/channel.ts';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Phone } from '../phone.ts';
import type {
  AttemptRef,
  ContentKind,
  KnownReceipt,
  MarketingTemplate,
  Outcome,
  OutgoingMessage,
  Receipt,
  ReceiptReport,
  Recipient,
  StatusQuery,
} from './channel.ts';
import type { ProviderState } from './provider-state.ts';

/**
 * One provider of one channel: a small file that implements its protocol. It must answer every send
 * with an outcome, stop when the signal is aborted, and never expose its credentials.
 */
export type Provider = {
  /** The name in settings, metrics, logs and callback addresses: `whatsapp-cloud`. */
  readonly name: string;
  readonly channel: Channel;
  /** May change while the server runs. */
  readonly carries: ReadonlySet<ContentKind>;
  /** How many messages a second it allows, as the operator knows it. Broadcasts keep to it. */
  readonly ratePerSecond?: number | undefined;
  /** How many messages it takes at once, when fewer than usual; further ones wait in the provider. */
  readonly inFlightMax?: number | undefined;
  /**
   * How its receipts identify a message: by our reference, which it returns; by its own id, which
   * we then store for every message; or `none`, because it sends no receipts.
   */
  readonly receiptKey: 'ref' | 'id' | 'none';
  /**
   * It may give an id again, to another message: the newest has it. Then receipts should name the
   * phone, so that one of an older message counts for none.
   */
  readonly idsRepeat?: true;
  /** An account has a limited number of permanent connections: one node at a time holds them all. */
  readonly isHeldByOneNode?: true;
  /** Sends are idempotent by reference, so recovery may repeat one. */
  readonly deduplicates: boolean;
  /** It can be asked by our reference alone whether it accepted a message. */
  readonly canQueryByRef: boolean;
  /** Absent when every recipient can be reached at any time. */
  canReach?(to: Recipient, content: ContentKind): Promise<boolean>;
  send(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
  readStatus?(question: StatusQuery, signal: AbortSignal): Promise<ProviderStatus>;
  /** Set when its callbacks can exceed 64 KiB. */
  readonly callbackBytesMax?: number;
  /** Its callbacks have a secret as the last part of their address. */
  readonly hasPathSecret?: boolean;
  /** Reads a callback. Undefined when it does not come from the provider. */
  readCallback?(request: CallbackRequest): CallbackContent | undefined;
  /**
   * Only for providers that ask for a report when a person has entered the code they delivered.
   * Best effort: nothing depends on its success.
   */
  reportVerified?(
    verified: { providerId: string; code: string },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Only where a group is linked by a word that somebody posts in it: the account that people add to
   * the group. The username of a bot, without the @, or a phone number; undefined while unknown.
   */
  readGroupAccount?(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Only where a broadcast needs a template: those that are approved and that we can fill. Throws
   * when they cannot be read.
   */
  listTemplates?(signal: AbortSignal): Promise<readonly MarketingTemplate[]>;
  /**
   * Tells a person that no more broadcasts will come, where a reply to what they wrote is allowed.
   * Best effort: nothing depends on its success.
   */
  confirmStop?(phone: Phone, signal: AbortSignal): Promise<void>;
  /** For `zhiber doctor`: whether the credentials and the set-up work, without sending anything. */
  check(signal: AbortSignal): Promise<ProviderCheck>;
  /** For providers that know, without sending anything, whether they can carry messages. */
  state?(): ProviderState;
  /** For providers whose receipts carry only their own ids: what came of them. */
  receipts?(): ReceiptCounts;
  /** Opens a permanent connection, whose receipts go to `report`, or begins work in the background. */
  start?(report: ReportReceipt): void;
  stop?(): Promise<void>;
};

/** Receipts since the start of this process. */
export type ReceiptCounts = {
  /** They belong to a message. */
  matched: number;
  /** No message has their id. */
  unmatched: number;
  /** They have no id or no known state, or nothing shows that a centre wrote them. */
  unusable: number;
};

/** Resolves once it is stored, with whether a message was found that it belongs to. */
export type ReportReceipt = (report: ProviderReport) => Promise<{ isMatched: boolean }>;

/** A receipt, identified by our reference or by the provider's id. */
export type ProviderReport =
  | ReceiptReport
  | {
      providerId: string;
      /** The phone that the receipt names, as the provider writes it. Only with `idsRepeat`. */
      phone?: string | undefined;
      receipt: Receipt;
      reason?: string | undefined;
    };

/**
 * A receipt that lacks our reference, of a provider that returns it as a rule: its message is looked
 * for among the newest to the phone.
 */
export type UnnamedReport = KnownReceipt & {
  providerId: string;
  phone: Phone;
  /** The recipient wants no broadcasts. */
  isUnsubscribed?: true;
};

/** What every provider gets. */
export type ProviderBasics = { clock: Clock; log: Logger };

/** The answer to a status query. */
export type ProviderStatus =
  | {
      known: 'accepted';
      providerId: string;
      receipt?: Receipt | undefined;
      /** Only with a `failed` receipt. */
      reason?: string | undefined;
    }
  | { known: 'refused'; reason: string }
  /** The provider never received the message. */
  | { known: 'nothing' }
  /** The query failed, or its answer is not conclusive. */
  | { known: 'unclear' };

export type CallbackRequest = {
  method: 'GET' | 'POST';
  headers: IncomingHttpHeaders;
  query: Readonly<Record<string, string>>;
  /** The raw bytes: signatures cover them. */
  body: Buffer;
  /** The last part of the address, where it is a secret: see `hasPathSecret`. */
  pathSecret?: string | undefined;
};

export type CallbackContent = {
  reports: readonly ProviderReport[];
  unnamed?: readonly UnnamedReport[];
  /**
   * Provider ids of messages whose reported status the signature does not cover. The provider is
   * queried before any of it is trusted.
   */
  unproven?: readonly string[];
  /** Changes in who can be reached: people and groups of a bot, and open WhatsApp windows. */
  contacts?: readonly Contact[];
  /** People who asked for no more broadcasts. */
  stops?: readonly Stop[];
  /** A group in which somebody has posted an invitation token from the cabinet. */
  claim?: GroupClaim;
  /** The response body the provider expects; an empty 200 when undefined. */
  answer?: CallbackAnswer;
};

/**
 * Somebody wants no more broadcasts. A person wrote a stop word: from a phone, or in the chat with a
 * bot. Or the messenger itself says so of the recipient of a message.
 */
export type Stop = { phone: Phone } | { chatId: string } | { ref: AttemptRef };

/** Resolves once it is stored; rejects when it could not be. */
export type RecordStop = (stop: Stop) => Promise<unknown>;

export type CallbackAnswer = { contentType: string; body: string };

export const CLAIM_OUTCOMES = ['linked', 'unknown'] as const;
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number];

/** Only the service can look the token up, so an answer is prepared for each result. */
export type GroupClaim = {
  channel: GroupChannel;
  chatId: string;
  title: string;
  word: string;
  /** Absent where nothing can be posted by the answer to a callback. */
  answers?: Readonly<Record<ClaimOutcome, CallbackAnswer>>;
};

export type Contact =
  /** A person has proved a phone to the bot, and can receive messages from now on. */
  | { kind: 'telegram_person'; phone: string; chatId: string; name: string }
  | { kind: 'telegram_person_gone'; chatId: string }
  | { kind: 'telegram_group'; chatId: string; title: string }
  | { kind: 'telegram_group_gone'; chatId: string }
  | { kind: 'telegram_group_moved'; chatId: string; newChatId: string }
  /** A person wrote to the business, which allows free text for 24 hours. */
  | { kind: 'whatsapp_window'; phone: string; openedAt: Date };

export type ProviderCheck = {
  ok: boolean;
  /** Whatever could be checked works, but not everything could be checked. */
  warning?: true;
  /** One English sentence for the operator; never a credential. */
  detail: string;
  /** The money left at the provider, as it writes it, where its API tells. */
  balance?: string;
};
