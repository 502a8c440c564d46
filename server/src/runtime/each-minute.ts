const MINUTE_MS = 60_000;

/**
 * Writes at most once a minute: the newest value, and how many there were since the last writing.
 * So what others cause cannot fill the log.
 */
export function atMostEachMinute<T>(
  write: (value: T, count: number) => void,
  nowMs: () => number = () => performance.now(),
): (value: T) => void {
  let count = 0;
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  return (value) => {
    count += 1;
    if (nowMs() - writtenAtMs < MINUTE_MS) return;
    writtenAtMs = nowMs();
    write(value, count);
    count = 0;
  };
}
