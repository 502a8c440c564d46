import { setTimeout as pause } from 'node:timers/promises';

/**
 * How a simulator treats messages. Without a plan it accepts and confirms; tests and people add
 * plans through its control API.
 */
export type Plan = {
  /** Only for this recipient, with or without a plus; for everybody when not given. */
  to?: string;
  /** Only for this many messages; unlimited when not given. */
  times?: number;
  does: Behaviour;
  code?: string | number;
  /** With `fail`: the seconds in Retry-After. */
  retryAfter?: number;
  form?: MalformedForm;
  /** Whether the message reaches the phone anyway; true by default, except with `fail`. */
  isTaken?: boolean;
  /** The delay of the answer. */
  delayMs?: number;
  /** The answer waits for this. Only for a test that runs the simulator in its own process. */
  released?: Promise<void>;
  /** Reuses the id of the previous message. */
  sameId?: boolean;

  /** The receipts it reports; `delivered` and `read` by default. */
  receipts?: readonly SimulatedReceipt[];
  /** The provider's own code in a `failed` receipt. */
  failure?: string | number;
  receiptDelayMs?: number;
  /** How often each receipt is reported. */
  copies?: number;
  isReversed?: boolean;
  /** The receipts come before the answer. */
  isEarly?: boolean;
  /** The receipts have a wrong signature; in SMPP, which has none, another phone sends them. */
  isForged?: boolean;
};

export const BEHAVIOURS = [
  'accept',
  /** Refuses, with the provider's own error `code`. */
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
export type Behaviour = (typeof BEHAVIOURS)[number];

export const RECEIPTS = ['sent', 'delivered', 'read', 'failed'] as const;
export type SimulatedReceipt = (typeof RECEIPTS)[number];

export const HTTP_FORMS = [
  'html',
  'half_json',
  'empty',
  'no_content',
  'no_id',
  'wrong_type',
  /** An error body with a success status. */
  'error_body',
  'endless',
  'packed',
] as const;
/** Malformed answers in SMPP, a protocol of frames. */
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

const DEFAULT_PLAN: Plan = { does: 'accept' };

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
      const key = normalise(to);
      const plan = plans.find(({ to: only }) => only === undefined || normalise(only) === key);
      if (plan === undefined) return DEFAULT_PLAN;
      if (plan.times !== undefined) {
        plan.times -= 1;
        if (plan.times <= 0) plans = plans.filter((other) => other !== plan);
      }
      return plan;
    },
  };
}

/** The recipient without the plus or the suffix that some providers add to a phone. */
function normalise(to: string): string {
  return to.replace(/^\+|@c\.us$/g, '');
}

/** Resolves when it is time to answer. */
export async function waitForAnswer({ delayMs, released }: Plan): Promise<void> {
  if (delayMs !== undefined) await pause(delayMs);
  await released;
}

/** Whether a message under this plan reaches the phone. */
export function isTaken(plan: Plan): boolean {
  if (plan.does === 'refuse' || plan.does === 'reset_before') return false;
  return plan.isTaken ?? plan.does !== 'fail';
}
