import { randomFillSync } from 'node:crypto';

/** A system call for a few bytes costs as much as one for a few thousand. */
const POOL_BYTES = 8_192;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/** Cryptographically secure random bytes, each used once. */
export function randomBytes(count: number): Buffer {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  // A copy; the bytes are erased from the pool.
  const bytes = Buffer.from(pool.subarray(used, used + count));
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}
