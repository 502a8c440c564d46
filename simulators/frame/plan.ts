/**
 * How a simulator treats messages. Without a plan it accepts and confirms; tests and people give it
 * others through its control address.
 */
export type Plan = {
  /** Only for this recipient, whose phone may have a plus or not; everybody when not given. */
  to?: string;
  /** Only for so many messages, then it is used up. */
  times?: number;
  does: Deed;
  code?: string | number;
  /** With `fail`: the seconds in Retry-After. */
  retryAfter?: number;
  form?: MalformedForm;
  /** Whether the message goes out although the answer does not say so; it does by default. */
  isTaken?: boolean;
  /** Before it answers. */
  delayMs?: number;
  /** Gives this message the id of the one before. */
  sameId?: boolean;

  /** What it reports afterwards; `delivered` and `read` by default. */
  receipts?: readonly SimulatedReceipt[];
  /** The provider's own code of a failure. */
  failure?: string | number;
  receiptDelayMs?: number;
  /** How often each receipt is reported. */
  copies?: number;
  isReversed?: boolean;
  /** The receipts come before the answer. */
  isEarly?: boolean;
  /** They are signed by somebody else; in SMPP, which signs nothing, a phone has written them. */
  isForged?: boolean;
};

export const DEEDS = [
  'accept',
  /** Says no, with the provider's own error `code`. */
  'refuse',
  /** Reads the call and never answers. */
  'hang',
  'reset_before',
  'reset_during',
  'reset_after',
  /** Answers a byte at a time, without end. */
  'drip',
  /** Answers with the HTTP status `code`. */
  'fail',
  'malformed',
] as const;
export type Deed = (typeof DEEDS)[number];

export const RECEIPTS = ['sent', 'delivered', 'read', 'failed'] as const;
export type SimulatedReceipt = (typeof RECEIPTS)[number];

export const HTTP_FORMS = [
  'html',
  'half_json',
  'empty',
  'no_content',
  'no_id',
  'wrong_type',
  /** An error, with the status of a success. */
  'error_body',
  'endless',
  'packed',
] as const;
/** Those of a protocol of frames, SMPP. */
export const FRAME_FORMS = [
  'garbage',
  'wrong_sequence',
  'wrong_command',
  'huge_length',
  'empty',
  'no_id',
  'unended_id',
] as const;
export type MalformedForm = (typeof HTTP_FORMS)[number] | (typeof FRAME_FORMS)[number];

const USUAL: Plan = { does: 'accept' };

export type Plans = {
  add(plan: Plan): void;
  clear(): void;
  /** The newest plan that fits, counted as used. */
  take(to: string): Plan;
};

export function createPlans(): Plans {
  let plans: Plan[] = [];
  return {
    add(plan) {
      plans.unshift({ ...plan });
    },
    clear() {
      plans = [];
    },
    take(to) {
      const own = plain(to);
      const plan = plans.find(({ to: only }) => only === undefined || plain(only) === own);
      if (plan === undefined) return USUAL;
      if (plan.times !== undefined) {
        plan.times -= 1;
        if (plan.times <= 0) plans = plans.filter((other) => other !== plan);
      }
      return plan;
    },
  };
}

/** A recipient without what providers put around a phone, each in its own way. */
function plain(to: string): string {
  return to.replace(/^\+|@c\.us$/g, '');
}

/** Whether a message treated so reaches the phone. */
export function isTaken(plan: Plan): boolean {
  if (plan.does === 'refuse' || plan.does === 'reset_before') return false;
  return plan.isTaken ?? plan.does !== 'fail';
}
