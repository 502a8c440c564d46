const DAY_MS = 86_400_000;

/** Whether a key has ended, or ends within the given days. */
export function expiryState(
  end: string | null,
  { now, warnDays }: { now: number; warnDays: number },
): 'none' | 'far' | 'soon' | 'over' {
  if (end === null) return 'none';
  const left = Date.parse(end) - now;
  if (left <= 0) return 'over';
  return left <= warnDays * DAY_MS ? 'soon' : 'far';
}
