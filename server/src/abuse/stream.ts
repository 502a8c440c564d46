import { PUMPING_GRACE_MINUTES, PUMPING_WINDOW_MINUTES } from '@zhiber/contract/api/limits.ts';
import type { GuardMode } from '../config/values.ts';
import type { CompanyId } from '../ids.ts';
import { type Codes, isSuspicious, upperShare } from './suspicion.ts';

/** The destination of codes: one company and the first digits of the phones. */
export type Stream = { companyId: CompanyId; prefix: string };
export type Suspicion = Codes & { bound: number };
/**
 * Sends for which SMS was planned while the stream was suspicious, and those that passed as probes.
 */
export type Concern = Stream & Suspicion & { mode: GuardMode; sends: number; probes: number };

/**
 * What a node knows of a stream. Minutes are whole ones since 1970, by the clock of the database.
 */
export type StreamState = Stream & {
  /** Counted by all nodes together. */
  minutes: Map<number, Codes>;
  /** Counted by this node, and not written yet. */
  counted: Codes;
  concern: Concern | undefined;
  suspicion: Suspicion | undefined;
  /** The minute of the latest probe. */
  probedAt: number | undefined;
};

export function newStreamState(companyId: CompanyId, prefix: string): StreamState {
  return {
    companyId,
    prefix,
    minutes: new Map(),
    counted: { sent: 0, verified: 0 },
    concern: undefined,
    suspicion: undefined,
    probedAt: undefined,
  };
}

/** Judges a stream again. True when it has just become suspicious. */
export function judge(stream: StreamState, now: number): boolean {
  const codes = codesToJudge(stream.minutes, now);
  const wasSuspicious = stream.suspicion !== undefined;
  stream.suspicion = isSuspicious(codes) ? { ...codes, bound: upperShare(codes) } : undefined;
  return !wasSuspicious && stream.suspicion !== undefined;
}

/**
 * Codes too recent to have been verified are left out. Verified ones among them count all the same,
 * which can only make a stream less suspicious.
 */
function codesToJudge(minutes: ReadonlyMap<number, Codes>, now: number): Codes {
  let sent = 0;
  let verified = 0;
  for (const [minute, codes] of minutes) {
    if (now - minute > PUMPING_GRACE_MINUTES) sent += codes.sent;
    verified += codes.verified;
  }
  return { sent, verified: Math.min(verified, sent) };
}

export function forgetOldMinutes({ minutes }: StreamState, now: number): void {
  for (const minute of minutes.keys()) {
    if (now - minute >= PUMPING_WINDOW_MINUTES) minutes.delete(minute);
  }
}

export function takeCount(stream: StreamState): Stream & Codes {
  const { companyId, prefix, counted } = stream;
  stream.counted = { sent: 0, verified: 0 };
  return { companyId, prefix, ...counted };
}

/** Counts a send under the current suspicion, which may be lifted before the count is written. */
export function countSuspiciousSend(
  stream: StreamState,
  { suspicion, mode, isProbe }: { suspicion: Suspicion; mode: GuardMode; isProbe: boolean },
): Concern {
  const { companyId, prefix } = stream;
  stream.concern ??= { companyId, prefix, ...suspicion, mode, sends: 0, probes: 0 };
  stream.concern.sends += 1;
  stream.concern.probes += +isProbe;
  return stream.concern;
}

export function takeConcern(stream: StreamState): Concern[] {
  const { concern } = stream;
  stream.concern = undefined;
  return concern === undefined || concern.sends === 0 ? [] : [concern];
}
