import { CODE_LANGUAGES, type CodeLanguage } from './snippets.ts';

const STORED_AS = 'zhiber.code-language';

/** The language that somebody reads code in, chosen once for every page of this site. */
export function rememberedLanguage(): CodeLanguage {
  const stored = localStorage.getItem(STORED_AS);
  return CODE_LANGUAGES.find((language) => language === stored) ?? 'curl';
}

export function rememberLanguage(language: string): void {
  localStorage.setItem(STORED_AS, language);
}
