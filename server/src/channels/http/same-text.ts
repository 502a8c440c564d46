import { timingSafeEqual } from 'node:crypto';

/** Compares a signature with the right one in a time that tells nothing about either. */
export function isSameText(given: string, right: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
