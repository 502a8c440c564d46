import { timingSafeEqual } from 'node:crypto';

/** Compares what a caller brought with a secret, in the same time wherever they differ. */
export function isSameSecret(brought: unknown, secret: string): boolean {
  if (typeof brought !== 'string') return false;
  const [a, b] = [Buffer.from(brought), Buffer.from(secret)];
  // A secret that nobody has set opens nothing.
  return b.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}
