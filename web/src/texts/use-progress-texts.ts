import type { Lang } from '@zhiber/contract/languages.ts';
import { use } from 'react';
import type { broadcastProgress } from './ru/broadcast-progress.ts';
import { useLang } from './use-texts.tsx';

export type ProgressTexts = typeof broadcastProgress;

/** Apart from the texts of drafts: whoever watches a broadcast has no use for those. */
const LOADERS: Record<Lang, () => Promise<ProgressTexts>> = {
  ru: async () => (await import('./ru/broadcast-progress.ts')).broadcastProgress,
  kk: async () => (await import('./kk/broadcast-progress.ts')).broadcastProgress,
  en: async () => (await import('./en/broadcast-progress.ts')).broadcastProgress,
};
const loaded = new Map<Lang, Promise<ProgressTexts>>();

/** The texts of a started broadcast in the reader's language. Suspends until they are loaded. */
export function useProgressTexts(): ProgressTexts {
  const { lang } = useLang();
  const texts = loaded.get(lang) ?? LOADERS[lang]();
  loaded.set(lang, texts);
  return use(texts);
}
