import type { Lang } from '@zhiber/contract/languages.ts';

/** As in the cabinet: Kazakh groups digits like Russian. */
const LOCALES: Record<Lang, string> = { ru: 'ru-KZ', kk: 'ru-KZ', en: 'en-GB' };

/** `12 345 ₸` in every language, which no line breaks in two. */
export function formatMoney(tokens: number): string {
  return `${formatNumber(tokens, 'ru')}\u{a0}₸`;
}

export function formatNumber(value: number, lang: Lang): string {
  return new Intl.NumberFormat(LOCALES[lang]).format(value);
}
