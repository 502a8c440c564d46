import { almatyTime } from '../almaty.ts';

type Charge = { at: Date; amount: number };
export type PlannedTopup = { at: Date; amount: number };

const DAY_MS = 86_400_000;
const TOPUP = 10_000;
/** The accountant pays when less than this is left, in office hours; or at once when it is urgent. */
const LOW = 4_000;
const URGENT = 800;
/** A demo that ends with less or much more than this is no example of a company that is looked after. */
const RUNWAY_DAYS = 18;
const RUNWAY_MIN_DAYS = 13;
const RUNWAY_MAX_DAYS = 26;
/** A payment that is made to last is this old at the end. */
const LAST_PAYMENT_DAYS = 4;
const STEP = 1_000;

/**
 * When the demo company tops up, so that its balance never ends and lasts for about 18 days more
 * when everything is spent. The charges are in the order of their times.
 */
export function planTopups(balance: number, charges: readonly Charge[], now: Date): PlannedTopup[] {
  const topups: PlannedTopup[] = [];
  let left = balance;
  for (const { at, amount } of charges) {
    if (left - amount < URGENT || (left < LOW && isOfficeHour(at))) {
      const paid = Math.max(TOPUP, roundUp(URGENT + amount - left));
      topups.push({ at: new Date(at.getTime() - 1_000), amount: paid });
      left += paid;
    }
    left -= amount;
  }
  const perDay = sum(charges.filter(({ at }) => now.getTime() - at.getTime() < 7 * DAY_MS)) / 7;
  if (perDay === 0 || (left >= RUNWAY_MIN_DAYS * perDay && left <= RUNWAY_MAX_DAYS * perDay)) {
    return topups;
  }
  return withRunway(topups, { missing: roundUp(RUNWAY_DAYS * perDay - left), now });
}

function withRunway(
  topups: readonly PlannedTopup[],
  { missing, now }: { missing: number; now: Date },
): PlannedTopup[] {
  const last = topups.at(-1);
  if (last !== undefined) {
    return [...topups.slice(0, -1), { ...last, amount: Math.max(STEP, last.amount + missing) }];
  }
  if (missing < STEP) return [];
  return [{ at: new Date(now.getTime() - LAST_PAYMENT_DAYS * DAY_MS), amount: missing }];
}

function isOfficeHour(at: Date): boolean {
  const local = almatyTime(at);
  const weekday = new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay();
  const hour = Number(local.slice(11, 13));
  return weekday >= 1 && weekday <= 5 && hour >= 10 && hour < 17;
}

function roundUp(amount: number): number {
  return Math.ceil(amount / STEP) * STEP;
}

function sum(charges: readonly Charge[]): number {
  return charges.reduce((total, { amount }) => total + amount, 0);
}
