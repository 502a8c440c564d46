import type { Lang } from '@zhiber/contract/languages.ts';
import type { Texts } from './ru.ts';

/** One language is loaded; another one only when somebody asks for it. */
const LOADERS: Record<Lang, () => Promise<Texts>> = {
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
  en: async () => (await import('./en.ts')).en,
};

export function loadTexts(lang: Lang): Promise<Texts> {
  return LOADERS[lang]();
}
