import type { Lang } from '@zhiber/contract/languages.ts';

/** As in the cabinet: Kazakh groups digits like Russian, and the sign comes last in every language. */
const LOCALES: Record<Lang, string> = { ru: 'ru-KZ', kk: 'ru-KZ', en: 'en-GB' };

/** `12 345 ₸`, which no line breaks in two. */
export function formatMoney(tokens: number, lang: Lang): string {
  return `${formatNumber(tokens, lang)}\u{a0}₸`;
}

export function formatNumber(value: number, lang: Lang): string {
  return new Intl.NumberFormat(LOCALES[lang]).format(value);
}
