import type { Lang } from '@zhiber/contract/languages.ts';

/** Not every browser knows Kazakh names; the Russian ones are next best there. */
export function countryName(lang: Lang, code: string): string {
  const [locale = 'ru'] = Intl.DisplayNames.supportedLocalesOf([lang, 'ru']);
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
}
