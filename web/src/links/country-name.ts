import type { Lang } from '@zhiber/contract/languages.ts';

/** Not every browser knows Kazakh names; the Russian ones are next best there. */
export function countryName(lang: Lang, code: string): string {
  const [locale = 'ru'] = Intl.DisplayNames.supportedLocalesOf([lang, 'ru']);
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
}

/** `KZ Almaty` as `Almaty, Казахстан`: the databases have cities in English alone. */
export function cityName(lang: Lang, value: string): string {
  const [, code, city] = /^([A-Z]{2}) (.+)$/.exec(value) ?? [];
  return code === undefined ? value : `${city}, ${countryName(lang, code)}`;
}
