/**
 * The four logs that are compared after a run, each from an independent source: the answers that
 * clients got, the calls that channels received, the messages that phones show, and the database.
 */
import { appendFileSync } from 'node:fs';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { AttemptRef, ContentKind, Receipt } from '../../src/channels/channel.ts';
import type { DatabaseRows } from './database-rows.ts';

/**
 * The result of a request for its client. `ok` and `refused` are answers, `unknown` is a request
 * that was cut off, and `unreached` one whose connection was refused, which is not logged.
 */
export type Acknowledgement = {
  startedAt: number;
  endedAt: number;
  action: 'send_code' | 'send_link' | 'verify' | 'shorten' | 'open';
  /** Sent as X-Request-Id and stored by the service with the message. */
  requestId: string;
  keyId: number;
  companyId: number;
  idempotencyKey: string | null;
  phone: string | null;
  /** The guess of a verification, or the URL of a link. */
  given: string | null;
  outcome: 'ok' | 'refused' | 'unknown' | 'unreached';
  errorCode: string | null;
  messageId: string | null;
  channel: string | null;
  cost: number | null;
  shortUrl: string | null;
};

/** What a channel did with a call. `unanswered`: the service got no answer. */
export type CallAnswer = 'accepted' | 'refused' | 'accepted_unanswered' | 'lost_unanswered';

export type ChannelCall = {
  event: 'call';
  at: number;
  channel: Channel;
  ref: AttemptRef;
  phone: string;
  content: ContentKind;
  answer: CallAnswer;
  providerId: string | null;
};

/** A receipt that the service has confirmed as stored. */
export type StoredReceipt = {
  event: 'receipt';
  at: number;
  channel: Channel;
  ref: AttemptRef;
  receipt: Receipt;
};

export type PhoneMessage = {
  at: number;
  phone: string;
  channel: Channel;
  text: string;
  code: string | null;
};

/** The settings of the run. */
export type RunSetup = {
  prices: Readonly<Record<Channel, number>>;
  /** The channels of each key, with the time from which they apply. */
  keys: readonly {
    keyId: number;
    companyId: number;
    channels: readonly Channel[];
    since: number;
  }[];
};

export type Logs = {
  setup: RunSetup;
  database: DatabaseRows;
  clients: readonly Acknowledgement[];
  channels: readonly (ChannelCall | StoredReceipt)[];
  phones: readonly PhoneMessage[];
};

export function callsIn(logs: Logs): ChannelCall[] {
  return logs.channels.filter((entry) => entry.event === 'call');
}

export function isAccepted(call: ChannelCall): boolean {
  return call.answer === 'accepted' || call.answer === 'accepted_unanswered';
}

/** An append-only log, also written to a file to investigate failures. */
export type Journal<Entry> = { entries: readonly Entry[]; write(entry: Entry): void };

export function openJournal<Entry>(file: string): Journal<Entry> {
  const entries: Entry[] = [];
  return {
    entries,
    write(entry) {
      entries.push(Object.freeze(entry));
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
    },
  };
}
