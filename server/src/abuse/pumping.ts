import type { GuardMode } from '../config/values.ts';
import type { CompanyId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import { prefixOf } from './number-prefix.ts';
import {
  type Concern,
  countSuspiciousSend,
  forgetOldMinutes,
  judge,
  newStreamState,
  type Stream,
  type StreamState,
  type Suspicion,
  takeConcern,
  takeCount,
} from './stream.ts';
import type { Codes } from './suspicion.ts';

export type MinuteCount = Stream & Codes & { minute: number };

export type SmsPermit = {
  isAllowed: boolean;
  /** No SMS was tried after all: the send does not count, and another one may pass as the probe. */
  cancel(): void;
};

/** For a send without any suspicion. */
export const FREE_PERMIT: SmsPermit = { isAllowed: true, cancel: () => undefined };

/**
 * What this node knows of the codes of the last hour. It is called for every send and every
 * verified code, so a call is one look-up in memory and never a query: counts are written and read
 * in rounds (guard-rounds.ts).
 */
export type PumpingGuard = {
  countSent(companyId: CompanyId, phone: Phone): void;
  countVerified(companyId: CompanyId, phone: Phone): void;
  /**
   * Whether a send may use SMS. While its stream is suspicious the send is counted. In block mode
   * one send per minute and node still passes as a probe, so that the share can recover.
   */
  askForSms(companyId: CompanyId, phone: Phone, mode: GuardMode): SmsPermit;
  /** The counts since the last call, to be written now. */
  takeCounts(): (Stream & Codes)[];
  /** The same for suspicious sends. */
  takeConcerns(): Concern[];
  /** The streams that an operator lets pass now, in place of those told before. */
  setPardoned(streams: readonly Stream[]): void;
  /** The minute of the last `learn`; 0 before the first. */
  readonly knownUntil: number;
  /**
   * Takes the counts of all nodes and judges again. Returns the streams that have become
   * suspicious.
   */
  learn(minute: number, counts: readonly MinuteCount[]): (Stream & Suspicion)[];
};

export function createPumpingGuard(): PumpingGuard {
  const streams = new Map<string, StreamState>();
  const counting = new Set<StreamState>();
  const concerning = new Set<StreamState>();
  let pardoned: ReadonlySet<string> = new Set();
  let now = 0;

  const findOrCreate = (companyId: CompanyId, prefix: string): StreamState => {
    const name = streamKey(companyId, prefix);
    let stream = streams.get(name);
    if (stream === undefined) {
      stream = newStreamState(companyId, prefix);
      streams.set(name, stream);
    }
    return stream;
  };
  const count = (companyId: CompanyId, phone: Phone, what: keyof Codes) => {
    const stream = findOrCreate(companyId, prefixOf(phone));
    stream.counted[what] += 1;
    counting.add(stream);
  };
  /** Minutes become too old as time passes, without any new count. */
  const advanceTo = (minute: number) => {
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
      const name = streamKey(companyId, prefixOf(phone));
      const stream = streams.get(name);
      if (stream?.suspicion === undefined || pardoned.has(name)) return FREE_PERMIT;
      const { suspicion } = stream;
      concerning.add(stream);
      const isProbe = mode === 'block' && stream.probedAt !== now;
      const concern = countSuspiciousSend(stream, { suspicion, mode, isProbe });
      if (isProbe) stream.probedAt = now;
      return {
        isAllowed: isProbe || mode === 'record',
        cancel() {
          concern.sends -= 1;
          if (!isProbe) return;
          concern.probes -= 1;
          stream.probedAt = undefined;
        },
      };
    },
    setPardoned(all) {
      pardoned = new Set(all.map(({ companyId, prefix }) => streamKey(companyId, prefix)));
    },
    takeCounts: () => takeAll(counting).map(takeCount),
    takeConcerns: () => takeAll(concerning).flatMap(takeConcern),
    get knownUntil() {
      return now;
    },
    learn(minute, counts) {
      const changed = counts.filter((item) =>
        setCount(findOrCreate(item.companyId, item.prefix).minutes, item),
      );
      const isNewMinute = minute !== now;
      if (isNewMinute) advanceTo(minute);
      const judged = isNewMinute
        ? [...streams.values()]
        : changed.map((item) => findOrCreate(item.companyId, item.prefix));
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

function streamKey(companyId: CompanyId, prefix: string): string {
  return `${companyId} ${prefix}`;
}

function takeAll<T>(set: Set<T>): T[] {
  const all = [...set];
  set.clear();
  return all;
}

/** False when nothing changed: the newest minutes are read again and again. */
function setCount(minutes: Map<number, Codes>, { minute, sent, verified }: MinuteCount): boolean {
  const known = minutes.get(minute);
  if (known?.sent === sent && known.verified === verified) return false;
  minutes.set(minute, { sent, verified });
  return true;
}
