import type { Lang } from '@zhiber/contract/languages.ts';
import { use } from 'react';
import type { broadcasts } from './ru/broadcasts.ts';
import { useLang } from './use-texts.tsx';

export type BroadcastTexts = typeof broadcasts;

/** Apart from the texts of the cabinet: most pages have no use for them. */
const LOADERS: Record<Lang, () => Promise<BroadcastTexts>> = {
  ru: async () => (await import('./ru/broadcasts.ts')).broadcasts,
  kk: async () => (await import('./kk/broadcasts.ts')).broadcasts,
  en: async () => (await import('./en/broadcasts.ts')).broadcasts,
};
const loaded = new Map<Lang, Promise<BroadcastTexts>>();

/** The texts of broadcasts in the reader's language. Suspends until they are loaded. */
export function useBroadcastTexts(): BroadcastTexts {
  const { lang } = useLang();
  const texts = loaded.get(lang) ?? LOADERS[lang]();
  loaded.set(lang, texts);
  return use(texts);
}
