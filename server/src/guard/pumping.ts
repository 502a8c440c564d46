import type { GuardMode } from '../config/values.ts';
import type { CompanyId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import { prefixOf } from './number-prefix.ts';
import {
  type Concern,
  concernSend,
  forgetOldMinutes,
  judge,
  newWatched,
  type Stream,
  type Suspicion,
  takeConcern,
  takeCount,
  type Watched,
} from './stream.ts';
import type { Codes } from './suspicion.ts';

export type MinuteCount = Stream & Codes & { minute: number };

export type SmsTicket = {
  isAllowed: boolean;
  /** No SMS was tried after all: the send does not count, and another one may be let through. */
  giveBack(): void;
};

/** Of a send that nothing speaks against. */
export const FREE_TICKET: SmsTicket = { isAllowed: true, giveBack: () => undefined };

/**
 * What this node knows of the codes of the last hour. It is asked for every send and every verified
 * code, so that costs one look-up and never the database: what is counted here is written and read
 * in rounds (guard-rounds.ts).
 */
export type PumpingGuard = {
  countSent(companyId: CompanyId, phone: Phone): void;
  countVerified(companyId: CompanyId, phone: Phone): void;
  /**
   * Whether a send that SMS is meant for may have it. While it is suspicious the send is counted;
   * when sends are blocked, one a minute and node is let through, so that the share can recover.
   */
  askForSms(companyId: CompanyId, phone: Phone, mode: GuardMode): SmsTicket;
  /** What was counted since the last time, and is written down now. */
  takeCounts(): (Stream & Codes)[];
  /** The same for the sends that were suspicious. */
  takeConcerns(): Concern[];
  /** Takes over what all nodes have counted, and judges anew. Returns what has become suspicious. */
  learn(minute: number, counts: readonly MinuteCount[]): (Stream & Suspicion)[];
};

export function createPumpingGuard(): PumpingGuard {
  const streams = new Map<string, Watched>();
  const counting = new Set<Watched>();
  const concerning = new Set<Watched>();
  let now = 0;

  const find = (companyId: CompanyId, prefix: string): Watched => {
    const name = nameOf(companyId, prefix);
    let stream = streams.get(name);
    if (stream === undefined) {
      stream = newWatched(companyId, prefix);
      streams.set(name, stream);
    }
    return stream;
  };
  const count = (companyId: CompanyId, phone: Phone, what: keyof Codes) => {
    const stream = find(companyId, prefixOf(phone));
    stream.counted[what] += 1;
    counting.add(stream);
  };
  /** Time alone changes what is too old. */
  const turnTo = (minute: number) => {
    now = minute;
    for (const [name, stream] of streams) {
      forgetOldMinutes(stream, now);
      if (stream.minutes.size === 0 && !counting.has(stream)) streams.delete(name);
    }
  };

  return {
    countSent: (companyId, phone) => count(companyId, phone, 'sent'),
    countVerified: (companyId, phone) => count(companyId, phone, 'verified'),
    askForSms(companyId, phone, mode) {
      const stream = streams.get(nameOf(companyId, prefixOf(phone)));
      if (stream?.suspicion === undefined) return FREE_TICKET;
      concerning.add(stream);
      const isProbe = mode === 'block' && stream.probedAt !== now;
      const concern = concernSend(stream, { suspicion: stream.suspicion, isProbe });
      if (isProbe) stream.probedAt = now;
      return {
        isAllowed: isProbe || mode === 'record',
        giveBack() {
          concern.sends -= 1;
          if (!isProbe) return;
          concern.probes -= 1;
          stream.probedAt = undefined;
        },
      };
    },
    takeCounts: () => takeAll(counting).map(takeCount),
    takeConcerns: () => takeAll(concerning).flatMap(takeConcern),
    learn(minute, counts) {
      const changed = counts.filter((item) =>
        remember(find(item.companyId, item.prefix).minutes, item),
      );
      const isNewMinute = minute !== now;
      if (isNewMinute) turnTo(minute);
      const judged = isNewMinute
        ? [...streams.values()]
        : changed.map((item) => find(item.companyId, item.prefix));
      return judged
        .filter((stream) => judge(stream, now))
        .map(({ companyId, prefix, suspicion }) => ({
          companyId,
          prefix,
          ...(suspicion as Suspicion),
        }));
    },
  };
}

function nameOf(companyId: CompanyId, prefix: string): string {
  return `${companyId} ${prefix}`;
}

function takeAll<T>(set: Set<T>): T[] {
  const all = [...set];
  set.clear();
  return all;
}

/** True when it is news: the newest minutes are read again and again. */
function remember(minutes: Map<number, Codes>, { minute, sent, verified }: MinuteCount): boolean {
  const known = minutes.get(minute);
  if (known?.sent === sent && known.verified === verified) return false;
  minutes.set(minute, { sent, verified });
  return true;
}
