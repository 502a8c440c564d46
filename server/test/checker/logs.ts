/**
 * The four logs that are compared after a run. Each is written by somebody else, who knows nothing
 * of the others: the clients write down what they were answered, the channels what was asked of
 * them at their door, the phones what a person sees on them, and the database is the database.
 */
import { appendFileSync } from 'node:fs';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { AttemptRef, Load, Receipt } from '../../src/channels/channel.ts';
import type { DatabaseRows } from './database-rows.ts';

/**
 * What a client was told: `ok` and `refused` are answers, `unknown` is a request that was cut off,
 * and `unreached` one that found nobody listening, which is not worth a line in a log.
 */
export type Acknowledgement = {
  startedAt: number;
  endedAt: number;
  action: 'send_code' | 'send_link' | 'verify' | 'shorten' | 'open';
  /** Sent along, and kept by the service with the message it makes. */
  requestId: string;
  keyId: number;
  companyId: number;
  idempotencyKey: string | null;
  phone: string | null;
  /** The guess of a verification, the address of a link. */
  given: string | null;
  outcome: 'ok' | 'refused' | 'unknown' | 'unreached';
  errorCode: string | null;
  messageId: string | null;
  channel: string | null;
  cost: number | null;
  shortUrl: string | null;
};

/** What a channel did with a call; `unheard` answers never reached the caller. */
export type CallAnswer = 'accepted' | 'refused' | 'accepted_unheard' | 'dropped_unheard';

export type ChannelCall = {
  event: 'call';
  at: number;
  channel: Channel;
  ref: AttemptRef;
  phone: string;
  load: Load;
  answer: CallAnswer;
  providerId: string | null;
};

/** A receipt that the service has said it stored. */
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

/** What was arranged before and during the run. */
export type Arrangement = {
  prices: Readonly<Record<Channel, number>>;
  /** The channels of each key, from a time on. */
  keys: readonly {
    keyId: number;
    companyId: number;
    channels: readonly Channel[];
    since: number;
  }[];
};

export type Logs = {
  arrangement: Arrangement;
  database: DatabaseRows;
  clients: readonly Acknowledgement[];
  channels: readonly (ChannelCall | StoredReceipt)[];
  phones: readonly PhoneMessage[];
};

export function callsIn(logs: Logs): ChannelCall[] {
  return logs.channels.filter((entry) => entry.event === 'call');
}

export function isAccepted(call: ChannelCall): boolean {
  return call.answer === 'accepted' || call.answer === 'accepted_unheard';
}

/** Entries are added and never changed; the file is for whoever looks into a failure. */
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
