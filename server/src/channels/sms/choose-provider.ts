/**
 * Which SMS provider is tried first. The operator of the number decides where a route names it; then
 * the price, or the measured share of deliveries. The others follow, and take over when the first
 * one definitely fails.
 */
import type { SmsRouteReason } from '@zhiber/contract/message/sms-route-text.ts';
import type { SmsRoute, SmsRouting } from '../../config/sms-routes.ts';
import type { OperatorId } from '../../numbering-plan.ts';

export type SmsCandidate = {
  name: string;
  /** Of a part; undefined where nobody has said it. */
  costTiyn?: number | undefined;
  /** How much of what it accepted was delivered; undefined where too little was measured. */
  deliveredShare?: number | undefined;
};

/** `sample`: it was another one's turn, so that its deliveries go on being measured. */
export type RouteReason = Exclude<SmsRouteReason, 'failover'>;

/** Each provider that is not the first choice gets this share of the traffic. */
export const SAMPLE_SHARE = 0.03;
/** Shares that differ by less are equal, and the price decides. */
const EQUAL_WITHIN = 0.02;
/** A cheaper provider that delivers so much less than the best one comes after it. */
const WORSE_BY = 0.1;

/**
 * The candidates in the order in which they are tried, and why. `chance` is random, from 0 to 1
 * without 1.
 */
export function orderSmsProviders({
  candidates,
  preferred,
  routing,
  chance,
}: {
  /** In the order of the settings. */
  candidates: readonly SmsCandidate[];
  /** The provider that a route names for this number. */
  preferred: string | undefined;
  routing: SmsRouting;
  chance: number;
}): { names: string[]; why: RouteReason } {
  const { ranked, why } = rank(candidates, routing);
  const names = ranked.map(({ name }) => name);
  if (preferred !== undefined && names.includes(preferred)) {
    return { names: toFront(names, preferred), why: 'operator' };
  }
  const sampled = why === 'order' ? undefined : names[1 + Math.floor(chance / SAMPLE_SHARE)];
  if (sampled !== undefined) return { names: toFront(names, sampled), why: 'sample' };
  return { names, why };
}

/** The provider of the route with the most digits that fits; a ported number has no digits. */
export function findSmsRoute(
  routes: readonly SmsRoute[],
  { phone, operator, isPorted }: NumberOfOperator,
): string | undefined {
  const byDigits = routes
    .filter(({ to }) => !isPorted && /^\d/.test(to) && phone.startsWith(to))
    .sort((a, b) => b.to.length - a.to.length);
  return (byDigits[0] ?? routes.find(({ to }) => to === operator))?.provider;
}

export type NumberOfOperator = {
  phone: string;
  operator: OperatorId | undefined;
  isPorted: boolean;
};

function rank(
  candidates: readonly SmsCandidate[],
  routing: SmsRouting,
): { ranked: readonly SmsCandidate[]; why: RouteReason } {
  const shares = candidates.flatMap(({ deliveredShare: share }) =>
    share === undefined ? [] : [share],
  );
  const best = Math.max(...shares);
  const asGiven = { ranked: candidates, why: 'order' } as const;
  switch (routing) {
    case 'order':
      return asGiven;
    case 'price': {
      if (candidates.every(({ costTiyn }) => costTiyn === undefined)) return asGiven;
      const isPoor = ({ deliveredShare = best }: SmsCandidate) => deliveredShare < best - WORSE_BY;
      const ranked = candidates.toSorted(
        (a, b) => Number(isPoor(a)) - Number(isPoor(b)) || compareCosts(a, b),
      );
      return { ranked, why: 'price' };
    }
    case 'delivery': {
      if (shares.length === 0) return asGiven;
      const lossOf = ({ deliveredShare: share }: SmsCandidate) =>
        share === undefined
          ? Number.POSITIVE_INFINITY
          : best - share < EQUAL_WITHIN
            ? 0
            : best - share;
      const ranked = candidates.toSorted((a, b) => {
        const [lossA, lossB] = [lossOf(a), lossOf(b)];
        return lossA === lossB ? compareCosts(a, b) : lossA - lossB;
      });
      return { ranked, why: 'delivery' };
    }
  }
}

/** An unknown cost comes last; equal ones stay in the order of the settings. */
function compareCosts({ costTiyn: a }: SmsCandidate, { costTiyn: b }: SmsCandidate): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  return b === undefined ? -1 : a - b;
}

function toFront(names: readonly string[], first: string): string[] {
  return [first, ...names.filter((name) => name !== first)];
}
