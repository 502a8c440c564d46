/**
 * Kazakh writes numbers and times as Russian does, and many browsers have no formats of its own.
 * English times are read as in Almaty, on a 24-hour clock.
 */
const LOCALES: Record<string, string> = { ru: 'ru-KZ', kk: 'ru-KZ', en: 'en-GB' };
const locale = LOCALES[document.documentElement.lang] ?? 'ru-KZ';
const timeZone = 'Asia/Almaty';

const clockFormat = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  timeZone,
});
const numberFormat = new Intl.NumberFormat(locale);
const secondsFormat = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export function clockTime(at: Date): string {
  return clockFormat.format(at);
}

/** One token is one tenge. */
export function tokens(amount: number): string {
  return `${numberFormat.format(amount)}\u00A0₸`;
}

export function seconds(ms: number): string {
  return secondsFormat.format(ms / 1000);
}

/** `+77000000001` as people read it; a group's name stays as it is. */
export function recipient(phone: string): string {
  return phone.replace(/^\+7(\d{3})(\d{3})(\d{2})(\d{2})$/, '+7\u00A0$1\u00A0$2\u00A0$3\u00A0$4');
}

/** Puts values into the `{words}` of a text. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, word: string) => values[word] ?? whole);
}
