/** The languages of the pages. Russian comes first: it is the language of the API's own messages. */
export const LANGS = ['ru', 'kk', 'en'] as const;
export type Lang = (typeof LANGS)[number];

/** Each in its own language, so that everybody finds theirs. */
export const LANG_TITLES = {
  ru: 'Русский',
  kk: 'Қазақша',
  en: 'English',
} as const satisfies Record<Lang, string>;

export function isLang(value: unknown): value is Lang {
  return LANGS.some((lang) => lang === value);
}
