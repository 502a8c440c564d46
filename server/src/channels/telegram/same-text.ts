import { timingSafeEqual } from 'node:crypto';

/** Compares a secret with what somebody brought, without telling by the time how far they agree. */
export function isSameText(expected: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
