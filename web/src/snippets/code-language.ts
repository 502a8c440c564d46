import { CODE_FORMS, CODE_LANGUAGES, type CodeForm, type CodeLanguage } from './snippets.ts';

const STORED_AS = 'zhiber.code-language';

/** How somebody reads code, chosen once for every page of this site. */
export function rememberedForm(): CodeForm {
  const stored = localStorage.getItem(STORED_AS);
  return CODE_FORMS.find((form) => form === stored) ?? 'curl';
}

/** The language of that form, for pages that have each language once. */
export function rememberedLanguage(): CodeLanguage {
  const form = rememberedForm();
  return CODE_LANGUAGES.find((language) => form.startsWith(language)) ?? 'curl';
}

export function rememberLanguage(form: string): void {
  localStorage.setItem(STORED_AS, form);
}
