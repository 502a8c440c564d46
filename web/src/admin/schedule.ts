/** Almaty is so far ahead of UTC, in which schedules are written. It has no summer time. */
const HOURS_AHEAD = 5;

export type Schedule =
  | { every: 'minutes'; minutes: number }
  | { every: 'hour'; minute: number }
  | { every: 'day'; time: string };

/** The three kinds of schedule that there are, in the time of Almaty; undefined for any other. */
export function readSchedule(cron: string): Schedule | undefined {
  const minutes = /^\*\/(\d+) \* \* \* \*$/.exec(cron)?.[1];
  if (minutes !== undefined) return { every: 'minutes', minutes: Number(minutes) };
  const [, minute, hour] = /^(\d+) (\d+|\*) \* \* \*$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined) return undefined;
  if (hour === '*') return { every: 'hour', minute: Number(minute) };
  const local = String((Number(hour) + HOURS_AHEAD) % 24).padStart(2, '0');
  return { every: 'day', time: `${local}:${minute.padStart(2, '0')}` };
}
