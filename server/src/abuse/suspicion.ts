import {
  PUMPING_CODES_MIN,
  PUMPING_DEVIATIONS,
  PUMPING_SHARE_MIN,
} from '@zhiber/contract/api/limits.ts';

/** Codes of one company to one prefix: those that could have been verified, and those that were. */
export type Codes = { sent: number; verified: number };

/**
 * The upper bound of the share of verified codes (Wilson score interval). With few codes it stays
 * near 1: three that nobody verified say little, three hundred say a lot.
 */
export function upperShare({ sent, verified }: Codes): number {
  if (sent === 0) return 1;
  const share = verified / sent;
  const spread = PUMPING_DEVIATIONS ** 2 / sent;
  const deviation = Math.sqrt((share * (1 - share)) / sent + spread / (4 * sent));
  return (share + spread / 2 + PUMPING_DEVIATIONS * deviation) / (1 + spread);
}

export function isSuspicious(codes: Codes): boolean {
  return codes.sent >= PUMPING_CODES_MIN && upperShare(codes) < PUMPING_SHARE_MIN;
}
