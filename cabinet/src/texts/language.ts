import type { Lang } from '@zhiber/contract/cabinet/fields.ts';

export type { Lang };
export const LANGS = ['ru', 'kk', 'en'] as const satisfies readonly Lang[];

/** Each in its own language, so that everybody finds theirs. */
export const LANG_TITLES = { ru: 'Русский', kk: 'Қазақша', en: 'English' } as const;

function isLang(value: unknown): value is Lang {
  return LANGS.some((lang) => lang === value);
}

/** The stored choice wins, then what the browser asks for, then Russian. */
export function chooseLang(asked: {
  address: string;
  cookie: string;
  browser: readonly string[];
}): Lang {
  const byAddress = new URLSearchParams(asked.address).get('lang');
  const stored = /(?:^|; )lang=(\w+)/.exec(asked.cookie)?.[1];
  const spoken = asked.browser.map((tag) => tag.split('-')[0]?.toLowerCase());
  return [byAddress, stored, ...spoken].find(isLang) ?? 'ru';
}
