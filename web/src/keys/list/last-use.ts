const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A key unused for this long is a security risk and should be reviewed. */
const IDLE_DAYS = 30;

export type LastUse =
  | { is: 'fresh' | 'calm'; at: string }
  | { is: 'unused' }
  | { is: 'idle'; days: number; at: string | null };

/** When a key was last used, and whether it is idle. */
export function lastUse(
  key: { used_at: string | null; created_at: string; state: string },
  now: number,
): LastUse {
  const { used_at: at, created_at: createdAt } = key;
  const age = now - Date.parse(at ?? createdAt);
  const days = Math.floor(age / DAY_MS);
  if (days >= IDLE_DAYS && key.state !== 'revoked') return { is: 'idle', days, at };
  if (at === null) return { is: 'unused' };
  return { is: age < HOUR_MS ? 'fresh' : 'calm', at };
}
