import type { Lang } from '@zhiber/contract/languages.ts';
import type { StatusTexts } from '@zhiber/contract/pages/status.ts';

const ZONE = 'Asia/Almaty';
const LOCALES: Readonly<Record<Lang, string>> = { ru: 'ru-KZ', kk: 'kk-KZ', en: 'en-GB' };

/** `12 окт`, of a day such as `2026-10-12`. */
export function formatDay(day: string, lang: Lang): string {
  return shortDate(new Date(`${day}T12:00:00Z`), lang, 'UTC');
}

/** `12 окт, 14:05`, in Almaty. */
export function formatMoment(at: string, lang: Lang): string {
  return `${shortDate(new Date(at), lang, ZONE)}, ${formatClock(at)}`;
}

/** `12 окт, 14:05 – 15:00`, or both with their days. */
export function formatSpan({ from, until }: { from: string; until: string }, lang: Lang): string {
  const isOneDay = shortDate(new Date(from), 'en', ZONE) === shortDate(new Date(until), 'en', ZONE);
  const end = isOneDay ? formatClock(until) : formatMoment(until, lang);
  return `${formatMoment(from, lang)} – ${end}`;
}

/** `14:05`, in Almaty. */
function formatClock(at: string): string {
  return formatterOf('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' }).format(
    new Date(at),
  );
}

/** `14:05:31`, in Almaty. */
export function formatSeconds(at: string): string {
  const parts = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return formatterOf('en-GB', { timeZone: ZONE, ...parts }).format(new Date(at));
}

/** `Октябрь 2026`, of an instant in Almaty. */
export function formatMonth(at: string, lang: Lang): string {
  const options = { timeZone: ZONE, month: 'long', year: 'numeric' } as const;
  const text = formatterOf(LOCALES[lang], options)
    .format(new Date(at))
    .replace(/\s*г\.$/, '');
  return text.slice(0, 1).toLocaleUpperCase(LOCALES[lang]) + text.slice(1);
}

/** `14 мин` or `2 ч 5 мин`. */
export function formatMinutes(minutes: number, { hours, minutes: word }: StatusTexts): string {
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (whole === 0) return `${rest} ${word}`;
  return rest === 0 ? `${whole} ${hours}` : `${whole} ${hours} ${rest} ${word}`;
}

/** Without the dot of an abbreviation, which would stand before a colon. */
function shortDate(at: Date, lang: Lang, timeZone: string): string {
  const options = { timeZone, day: 'numeric', month: 'short' } as const;
  return formatterOf(LOCALES[lang], options).format(at).replace(/\.$/, '');
}

/** Making a formatter takes a hundred times as long as using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return known;
}
