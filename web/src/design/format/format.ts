import type { Lang } from '@zhiber/contract/languages.ts';
import { formatPhone } from './phone.ts';

/**
 * Times are shown in Almaty time, whatever the zone of the browser. A name, not an offset: the
 * offset has changed once already.
 */
export const TIME_ZONE = 'Asia/Almaty';

/** Kazakh formats numbers like Russian, and many browsers lack the Kazakh locale. */
const NUMBER_LOCALES = { ru: 'ru-KZ', kk: 'ru-KZ', en: 'en-GB' } as const;

/** Browsers abbreviate Russian months as `нояб.`, and not all of them know the Kazakh ones. */
const MONTHS = {
  ru: 'янв фев мар апр мая июн июл авг сен окт ноя дек'.split(' '),
  kk: 'қаң ақп нау сәу мам мау шіл там қыр қаз қар жел'.split(' '),
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
} as const satisfies Record<Lang, string[]>;

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const inAlmaty = new Intl.DateTimeFormat('en-GB', {
  timeZone: TIME_ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

function readClock(at: Instant): Record<string, string> {
  const parts = inAlmaty.formatToParts(new Date(at));
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

export type Instant = string | number | Date;
export type Format = ReturnType<typeof createFormat>;

/** Amounts read alike in every language, so not by the currencies of `Intl`: `12 345 ₸`. One token is one tenge. */
const tenge = new Intl.NumberFormat('ru-KZ', { maximumFractionDigits: 0 });
const tengeAndTiyn = new Intl.NumberFormat('ru-KZ', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** The formats of one language. */
export function createFormat(lang: Lang) {
  return { ...createTimes(lang), ...createNumbers(lang), phone: formatPhone };
}

function createTimes(lang: Lang) {
  const relative = relativeWords(lang);
  const date = (at: Instant) => {
    const { day, month, year } = readClock(at);
    const isThisYear = year === readClock(Date.now()).year;
    const name = MONTHS[lang][Number(month) - 1];
    return isThisYear ? `${Number(day)}\u00a0${name}` : `${Number(day)}\u00a0${name} ${year}`;
  };
  const clock = (at: Instant) => {
    const { hour, minute } = readClock(at);
    return `${hour}:${minute}`;
  };
  const clockSeconds = (at: Instant) => `${clock(at)}:${readClock(at).second?.padStart(2, '0')}`;
  const separator = lang === 'en' ? '.' : ',';
  return {
    /** `10:42:07,112` */
    clockMillis: (at: Instant) => {
      const millis = String(new Date(at).getUTCMilliseconds()).padStart(3, '0');
      return `${clockSeconds(at)}${separator}${millis}`;
    },
    /** `14 ноя`, with the year when it is not this one. */
    date,
    /** `10:42` */
    clock,
    /** `10:42:07` */
    clockSeconds,
    /** `14 ноя, 10:42:07` */
    time: (at: Instant) => `${date(at)}, ${clockSeconds(at)}`,
    /** `14 ноя, 10:42` */
    timeToMinute: (at: Instant) => `${date(at)}, ${clock(at)}`,
    /** `5 минут назад`, `через 3 дня` */
    relative: (at: Instant, now: number = Date.now()) => {
      const seconds = (new Date(at).getTime() - now) / 1_000;
      const [unit, size] = UNITS.find(([, span]) => Math.abs(seconds) >= span) ?? UNITS[3];
      return relative(Math.trunc(seconds / size), unit);
    },
  };
}

type Unit = (typeof UNITS)[number][0];

/** Many browsers lack Kazakh relative time and would show `-14 s`. */
const KAZAKH_UNITS: Record<Unit, { past: string; future: string }> = {
  day: { past: 'күн бұрын', future: 'күннен кейін' },
  hour: { past: 'сағат бұрын', future: 'сағаттан кейін' },
  minute: { past: 'минут бұрын', future: 'минуттан кейін' },
  second: { past: 'секунд бұрын', future: 'секундтан кейін' },
};
const KAZAKH_DAYS: Record<number, string> = { [-1]: 'кеше', 1: 'ертең' };

function relativeWords(lang: Lang): (count: number, unit: Unit) => string {
  if (lang !== 'kk') {
    const words = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
    return (count, unit) => words.format(count, unit);
  }
  return (count, unit) => {
    if (count === 0) return 'қазір';
    const day = unit === 'day' ? KAZAKH_DAYS[count] : undefined;
    const { past, future } = KAZAKH_UNITS[unit];
    return day ?? `${Math.abs(count)} ${count < 0 ? past : future}`;
  };
}

function createNumbers(lang: Lang) {
  const numbers = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(NUMBER_LOCALES[lang], options);
  const whole = numbers({ maximumFractionDigits: 0 });
  const tenth = numbers({ maximumFractionDigits: 1 });
  const fixedTenth = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const percent = numbers({ style: 'percent', maximumFractionDigits: 1 });
  return {
    money: (tokens: number) => `${tenge.format(tokens)}\u00a0₸`,
    /** `12 345,50 ₸` of 1 234 550 tiyn: what providers charge has a part of a tenge. */
    moneyOfTiyn: (tiyn: number) => `${tengeAndTiyn.format(tiyn / 100)}\u00a0₸`,
    number: (value: number) => whole.format(value),
    /** `98,5 %` of 0.985 */
    percent: (share: number) => percent.format(share),
    /** `34,8` of 34 800 ms; the unit is a text of the page. */
    seconds: (ms: number) => tenth.format(ms / 1_000),
    /** `2,0` of 2 000 ms, for a counter that keeps its width. */
    tenths: (ms: number) => fixedTenth.format(ms / 1_000),
  };
}
