import { randomFillSync } from 'node:crypto';

/** Asking the system for a few bytes costs as much as for a few thousand. */
const POOL_BYTES = 8_192;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/** Random bytes fit for secrets, each given out once. */
export function randomBytes(count: number): Buffer {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  // A copy that leaves nothing behind in the pool.
  const bytes = Buffer.from(pool.subarray(used, used + count));
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}
