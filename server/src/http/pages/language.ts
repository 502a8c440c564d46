/**
 * The languages of the public pages. Russian comes first: it is the language of the API's own
 * messages.
 */
export const LANGS = ['ru', 'kk', 'en'] as const;
export type Lang = (typeof LANGS)[number];

export const LANG_TITLES = {
  ru: 'Русский',
  kk: 'Қазақша',
  en: 'English',
} as const satisfies Record<Lang, string>;

export function isLang(value: unknown): value is Lang {
  return LANGS.some((lang) => lang === value);
}

/** The language somebody asked for: `?lang=` wins, then `Accept-Language`, then Russian. */
export function chooseLang(asked: { query?: unknown; acceptLanguage?: string | undefined }): Lang {
  if (isLang(asked.query)) return asked.query;
  return acceptedLangs(asked.acceptLanguage ?? '')[0] ?? 'ru';
}

function acceptedLangs(header: string): Lang[] {
  return header
    .split(',')
    .map(readRange)
    .filter((range) => range.weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .map((range) => range.lang)
    .filter(isLang);
}

function readRange(range: string): { lang: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((piece) => piece.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = quality === undefined ? 1 : Number.parseFloat(quality.slice(2));
  return { lang: tag.split('-')[0] ?? '', weight: Number.isNaN(weight) ? 0 : weight };
}
