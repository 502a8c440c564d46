import { createHash, timingSafeEqual } from 'node:crypto';
import { randomBytes } from './random.ts';

const TOKEN_BYTES = 32;

/** A random secret that is given out once. Only its hash is stored. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashOfToken(token) };
}

/**
 * The stored hash of a random token. With a hundred random bits or more, no slow hash is needed.
 */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Compares a value from a caller with a secret, in a time that does not depend on where they
 * differ.
 */
export function isSameSecret(candidate: unknown, secret: string): boolean {
  if (typeof candidate !== 'string') return false;
  const [a, b] = [Buffer.from(candidate), Buffer.from(secret)];
  // An empty secret was never set, and matches nothing.
  return b.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}
