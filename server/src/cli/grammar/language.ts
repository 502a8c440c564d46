export type Lang = 'en' | 'ru';
export type Env = Readonly<Record<string, string | undefined>>;

/** The language of the output: Russian for a Russian or Kazakh locale, otherwise English. */
export function languageOf(env: Env): Lang {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^(?:ru|kk)(?:[_.@-]|$)/i.test(locale) ? 'ru' : 'en';
}
