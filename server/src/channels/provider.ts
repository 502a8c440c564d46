import type { IncomingHttpHeaders } from 'node:http';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type {
  Load,
  Outcome,
  OutgoingMessage,
  Receipt,
  ReceiptReport,
  Recipient,
  StatusQuestion,
} from './channel.ts';

/**
 * One provider of one channel: a small file that speaks its protocol. It promises to answer every
 * send with an outcome, to stop when the signal says so, and to keep its credentials to itself.
 */
export type Provider = {
  /** As settings, figures, logs and callback addresses spell it: `whatsapp-cloud`. */
  readonly name: string;
  readonly channel: Channel;
  readonly carries: ReadonlySet<Load>;
  /**
   * How its receipts name a message: by our reference, which it gives back; by its own id, which is
   * then remembered for every message; or never, because it sends none.
   */
  readonly receiptsBy: 'ref' | 'id' | 'none';
  /** Sent again with the same reference, a message is not sent twice: recovery may do so. */
  readonly deduplicates: boolean;
  /** Asked by our reference alone, it can tell whether it took a message. */
  readonly tellsByRef: boolean;
  /** Only where not everybody can be written to at any time. */
  canReach?(to: Recipient, load: Load): Promise<boolean>;
  send(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
  readStatus?(question: StatusQuestion, signal: AbortSignal): Promise<ProviderStatus>;
  /** Where it may report more at once than fits in 64 KiB. */
  readonly callbackBytesMax?: number;
  /** Reads what the provider reports to us. Undefined: it is not from the provider. */
  readCallback?(request: CallbackRequest): CallbackContent | undefined;
  /**
   * Only for those that ask to be told when a person has entered the code that they carried. Nobody
   * depends on its success.
   */
  reportVerified?(
    verified: { providerId: string; code: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** Only for a bot that can be invited into groups: its name, without the @. */
  readUsername?(signal: AbortSignal): Promise<string | undefined>;
  /** For `zhiber doctor`: whether the credentials and the set-up work, without sending anything. */
  check(signal: AbortSignal): Promise<ProviderCheck>;
  /** For those that keep a connection of their own; receipts that come over it go to `report`. */
  start?(report: ReportReceipt): void;
  stop?(): Promise<void>;
};

export type ReportReceipt = (report: ProviderReport) => Promise<unknown>;

/** A receipt as the provider names it. */
export type ProviderReport =
  | ReceiptReport
  | { providerId: string; receipt: Receipt; reason?: string | undefined };

/** What the provider knows of a message when it is asked. */
export type ProviderStatus =
  | {
      known: 'accepted';
      providerId: string;
      receipt?: Receipt | undefined;
      /** Of a failure. */
      reason?: string | undefined;
    }
  | { known: 'refused'; reason: string }
  /** It never got it. */
  | { known: 'nothing' }
  /** It could not be asked, or did not say. */
  | { known: 'unclear' };

export type CallbackRequest = {
  method: 'GET' | 'POST';
  headers: IncomingHttpHeaders;
  query: Readonly<Record<string, string>>;
  /** The bytes as they came: signatures are over them. */
  body: Buffer;
};

export type CallbackContent = {
  reports: readonly ProviderReport[];
  /**
   * Its own ids of messages that have news which the signature does not cover: the provider is asked
   * before anything is believed.
   */
  unproven?: readonly string[];
  /** People and groups that have shown themselves to a bot or have written to a business. */
  contacts?: readonly Contact[];
  /** A group in which somebody has written a word of the cabinet. */
  claim?: GroupClaim;
  /** What the provider wants to read; an empty 200 when it does not say. */
  answer?: CallbackAnswer;
};

export type CallbackAnswer = { contentType: string; body: string };

export const CLAIM_OUTCOMES = ['linked', 'unknown'] as const;
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number];

/** Whose word it is, only the service knows: there is an answer for each thing it may find. */
export type GroupClaim = {
  chatId: string;
  title: string;
  word: string;
  answers: Readonly<Record<ClaimOutcome, CallbackAnswer>>;
};

export type Contact =
  /** Somebody has proved a phone to the bot, and can be written to from now on. */
  | { kind: 'telegram_person'; phone: string; chatId: string; name: string }
  | { kind: 'telegram_person_gone'; chatId: string }
  | { kind: 'telegram_group'; chatId: string; title: string }
  | { kind: 'telegram_group_gone'; chatId: string }
  | { kind: 'telegram_group_moved'; chatId: string; newChatId: string }
  /** Somebody wrote to the business: free text may be sent for a day. */
  | { kind: 'whatsapp_window'; phone: string; openedAt: Date };

export type ProviderCheck = {
  ok: boolean;
  /** It works as far as could be seen, and not everything could be. */
  warning?: true;
  /** One English sentence for the operator; never a credential. */
  detail: string;
};
