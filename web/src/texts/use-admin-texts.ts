import type { Lang } from '@zhiber/contract/languages.ts';
import { use } from 'react';
import type { AdminTexts } from './admin/ru.ts';
import { useLang } from './use-texts.tsx';

/** Apart from the texts of the cabinet, which load without them. */
const LOADERS: Record<Lang, () => Promise<AdminTexts>> = {
  ru: async () => (await import('./admin/ru.ts')).ru,
  kk: async () => (await import('./admin/kk.ts')).kk,
  en: async () => (await import('./admin/en.ts')).en,
};
const loaded = new Map<Lang, Promise<AdminTexts>>();

/** The texts of the operator's desk in the reader's language. Suspends until they are loaded. */
export function useAdminTexts(): AdminTexts {
  const { lang } = useLang();
  const texts = loaded.get(lang) ?? LOADERS[lang]();
  loaded.set(lang, texts);
  return use(texts);
}
