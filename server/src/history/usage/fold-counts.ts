import { SLOTS } from './confirm-times.ts';
import type { CountedCalls, CountedSends } from './count-store.ts';
import type { HourSpan } from './stale-hours.ts';
import type { CallHour, HourTimes, UsageHour } from './usage-store.ts';

/** The counts of the slots of time added up, by hour, key and channel. */
export function toUsageHours(span: HourSpan, counted: readonly CountedSends[]): UsageHour[] {
  const groups = Map.groupBy(counted, ({ hour, key_id, channel }) =>
    [hour, key_id, channel].join(),
  );
  return [...groups.values()].map((rows) => {
    const [first] = rows as [CountedSends];
    const sum = (read: (row: CountedSends) => number) =>
      rows.reduce((total, row) => total + read(row), 0);
    return {
      hour: span[first.hour] as Date,
      key_id: first.key_id,
      channel: first.channel,
      sends: sum((row) => row.sends),
      accepted: sum((row) => row.accepted),
      confirmed: sum((row) => (row.slot === null ? 0 : row.sends)),
      failed: sum((row) => row.failed),
      charged: sum((row) => row.charged),
    };
  });
}

/** How long confirmations took, for every hour of the span, also those without any. */
export function toHourTimes(span: HourSpan, counted: readonly CountedSends[]): HourTimes[] {
  const hours = span.slice(0, -1).map((hour) => ({
    hour,
    live_times: new Array<number>(SLOTS).fill(0),
    test_times: new Array<number>(SLOTS).fill(0),
  }));
  for (const { hour, is_test, slot, sends } of counted) {
    const times = hours[hour]?.[is_test ? 'test_times' : 'live_times'];
    if (times !== undefined && slot !== null) times[slot] = (times[slot] ?? 0) + sends;
  }
  return hours.map(({ hour, live_times, test_times }) => ({
    hour,
    live_times: withoutEnd(live_times),
    test_times: withoutEnd(test_times),
  }));
}

/** Most hours have nothing in the slots of the slowest. */
function withoutEnd(times: number[]): number[] {
  return times.slice(0, times.findLastIndex((count) => count > 0) + 1);
}

export function toCallHours(span: HourSpan, counted: readonly CountedCalls[]): CallHour[] {
  const groups = Map.groupBy(counted, ({ hour, key_id, status, error_code }) =>
    [hour, key_id, status, error_code].join(),
  );
  return [...groups.values()].map((rows) => {
    const [{ hour, key_id, status, error_code }] = rows as [CountedCalls];
    const calls = rows.reduce((total, row) => total + row.calls, 0);
    return { hour: span[hour] as Date, key_id, status, error_code, calls };
  });
}
