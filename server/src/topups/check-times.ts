/** When a provider is asked about an order next. */

const FIRST_SECONDS = 10;
const GROWTH = 1.5;
const SECONDS_MAX = 300;
/** A payment can be made in the last moment, and the bank may take a while to tell the provider. */
const LATE_SECONDS_MAX = 3 * 3600;
/** Just after the end, so that a payment in time is found before the order counts as expired. */
const AFTER_END_SECONDS = 2;

/**
 * Seconds from now; null when it need not be asked any more. `checks` is how often it was asked,
 * `overSeconds` the time since the order has ended, and `wanted` the interval that the provider
 * itself has named.
 */
export function nextCheckSeconds(order: {
  checks: number;
  overSeconds: number;
  wanted?: number | undefined;
}): number | null {
  const { checks, overSeconds, wanted } = order;
  if (overSeconds >= LATE_SECONDS_MAX) return null;
  const growing = Math.min(FIRST_SECONDS * GROWTH ** Math.max(checks - 1, 0), SECONDS_MAX);
  if (overSeconds >= 0) return growing;
  const seconds = wanted === undefined ? growing : Math.min(Math.max(wanted, 1), SECONDS_MAX);
  return Math.min(seconds, AFTER_END_SECONDS - overSeconds);
}

const REFUND_PAUSE_SECONDS_MIN = 3600;
const REFUND_PAUSE_SECONDS_MAX = 14 * 24 * 3600;
/** Providers send money back to a card for about half a year. */
const REFUND_SECONDS_MAX = 180 * 24 * 3600;

/**
 * Seconds until a provider is asked what it has sent back of a paid order: somebody may do that in
 * its console, and its notice may be lost. Each pause is as long as the order is over, from an hour
 * to a fortnight, which is about twenty questions. Null when it need not be asked any more.
 */
export function nextRefundCheckSeconds(overSeconds: number): number | null {
  if (overSeconds >= REFUND_SECONDS_MAX) return null;
  return Math.min(Math.max(overSeconds, REFUND_PAUSE_SECONDS_MIN), REFUND_PAUSE_SECONDS_MAX);
}

const RETRY_FIRST_SECONDS = 30;
const RETRY_SECONDS_MAX = 3600;
/** About two days. After that people should look. */
const TRIES_MAX = 54;

/** Seconds until a refund or a notice without a clear answer is tried again; null: not any more. */
export function nextRetrySeconds(tries: number): number | null {
  if (tries >= TRIES_MAX) return null;
  return Math.min(RETRY_FIRST_SECONDS * 2 ** Math.max(tries - 1, 0), RETRY_SECONDS_MAX);
}
