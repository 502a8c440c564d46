/**
 * When broadcasts rest: the quiet hours of Almaty, and its days off. Holidays are data below; each
 * year's are checked against the official calendar when it is published, in December.
 */

/** Kazakhstan has one time zone since March 2024, UTC+5, and no summer time. */
const OFFSET_MS = 5 * 3_600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type QuietRules = {
  /** Hours of Almaty, 0 to 23. The same hour twice means no quiet hours. */
  quietFrom: number;
  quietTo: number;
  /** Nothing is sent on Saturdays, Sundays and holidays. */
  skipsDaysOff: boolean;
};

type Holiday = {
  /** Month and day. */
  day: string;
  name: string;
  /** The first year in which it is one. */
  since?: number;
  /** On a weekend it gives no other day off instead. */
  isNotMoved?: true;
};

/** Holidays on the same date every year. */
export const YEARLY_HOLIDAYS: readonly Holiday[] = [
  { day: '01-01', name: 'Новый год' },
  { day: '01-02', name: 'Новый год' },
  { day: '01-07', name: 'Рождество Христово', isNotMoved: true },
  { day: '03-08', name: 'Международный женский день' },
  // The constitution that the referendum of 15 March 2026 adopted moved this day from 30 August. In
  // 2026 itself neither date was a day off.
  { day: '03-15', name: 'День Конституции', since: 2027 },
  { day: '03-21', name: 'Наурыз мейрамы' },
  { day: '03-22', name: 'Наурыз мейрамы' },
  { day: '03-23', name: 'Наурыз мейрамы' },
  { day: '05-01', name: 'Праздник единства народа Казахстана' },
  { day: '05-07', name: 'День защитника Отечества' },
  { day: '05-09', name: 'День Победы' },
  { day: '07-06', name: 'День столицы' },
  { day: '10-25', name: 'День Республики' },
  { day: '12-16', name: 'День Независимости' },
];

/**
 * The first day of Kurban Ait, a day off that is not moved. The clergy names it in the year itself;
 * until then the date is the one expected by the Umm al-Qura calendar.
 */
export const KURBAN_AIT: Readonly<Record<number, { day: string; isExpected: boolean }>> = {
  2026: { day: '05-27', isExpected: false },
  2027: { day: '05-16', isExpected: true },
  2028: { day: '05-05', isExpected: true },
};

/**
 * Days that the government moved by a decree of its own: `off` rests instead of `worked`. None is
 * known for 2026 to 2028.
 */
export const MOVED_DAYS: readonly { off: string; worked: string }[] = [];

/** Whether nothing may be sent at an instant. */
export function isQuiet(at: Date, rules: QuietRules): boolean {
  return quietUntil(toLocal(at), rules) !== undefined;
}

/** The first instant, this one or later, at which sending is allowed. */
export function nextSendingTime(at: Date, rules: QuietRules): Date {
  let local = toLocal(at);
  for (let end = quietUntil(local, rules); end !== undefined; end = quietUntil(local, rules)) {
    local = end;
  }
  return new Date(local - OFFSET_MS);
}

/** When so many milliseconds of sending will have passed, without the rests between. */
export function endOfSending(at: Date, durationMs: number, rules: QuietRules): Date {
  let left = durationMs;
  for (let from = nextSendingTime(at, rules); ; ) {
    const to = Math.min(nextRest(toLocal(from), rules) - OFFSET_MS, from.getTime() + left);
    left -= to - from.getTime();
    if (left === 0) return new Date(to);
    from = nextSendingTime(new Date(to), rules);
  }
}

/** The first local time after this one at which a rest may begin. */
function nextRest(local: number, { quietFrom, quietTo }: QuietRules): number {
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  const evening = midnight + quietFrom * HOUR_MS;
  return quietFrom !== quietTo && evening > local ? evening : midnight + DAY_MS;
}

/** Whether a day of Almaty, `2026-03-09`, is a day off. */
export function isDayOff(day: string): boolean {
  if (MOVED_DAYS.some(({ off }) => off === day)) return true;
  if (MOVED_DAYS.some(({ worked }) => worked === day)) return false;
  return isWeekend(day) || holidaysOf(Number(day.slice(0, 4))).has(day);
}

/** Milliseconds of Almaty's clock, as if it were UTC. */
function toLocal(at: Date): number {
  return at.getTime() + OFFSET_MS;
}

/** The end of the rest that a local time is in, which may be the beginning of another one. */
function quietUntil(local: number, rules: QuietRules): number | undefined {
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  if (rules.skipsDaysOff && isDayOff(dayText(midnight))) return midnight + DAY_MS;
  const { quietFrom, quietTo } = rules;
  const hour = (local - midnight) / HOUR_MS;
  const isOverMidnight = quietFrom > quietTo;
  if (hour < quietTo && (isOverMidnight || hour >= quietFrom)) return midnight + quietTo * HOUR_MS;
  return isOverMidnight && hour >= quietFrom ? midnight + DAY_MS : undefined;
}

function dayText(local: number): string {
  return new Date(local).toISOString().slice(0, 10);
}

function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6;
}

const holidaysByYear = new Map<number, ReadonlySet<string>>();

function holidaysOf(year: number): ReadonlySet<string> {
  const known = holidaysByYear.get(year) ?? listHolidays(year);
  holidaysByYear.set(year, known);
  return known;
}

/** By law a holiday on a weekend makes the next working day a day off. */
function listHolidays(year: number): ReadonlySet<string> {
  const yearly = YEARLY_HOLIDAYS.filter(({ since = year }) => since <= year);
  const holidays = new Set(yearly.map(({ day }) => `${year}-${day}`));
  const ait = KURBAN_AIT[year];
  if (ait !== undefined) holidays.add(`${year}-${ait.day}`);
  for (const { day, isNotMoved } of yearly) {
    if (isNotMoved || !isWeekend(`${year}-${day}`)) continue;
    let instead = Date.parse(`${year}-${day}T00:00:00Z`);
    while (isWeekend(dayText(instead)) || holidays.has(dayText(instead))) instead += DAY_MS;
    holidays.add(dayText(instead));
  }
  return holidays;
}
