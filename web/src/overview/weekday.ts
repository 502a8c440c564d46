import { type Instant, TIME_ZONE } from '../design/format/format.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const inAlmaty = new Intl.DateTimeFormat('en-US', { timeZone: TIME_ZONE, weekday: 'short' });

/** The day of the week in Almaty, from 0 for Sunday. */
export function almatyWeekday(at: Instant): number {
  return DAYS.indexOf(inAlmaty.format(new Date(at)));
}
