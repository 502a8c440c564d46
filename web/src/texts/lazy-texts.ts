import type { Lang } from '@zhiber/contract/languages.ts';
import { use } from 'react';
import { useLang } from './use-texts.tsx';

/**
 * A hook for texts that few pages need, loaded apart from those of the cabinet. It returns them in
 * the reader's language, and suspends until they are loaded.
 */
export function createTextsHook<Texts>(loaders: Record<Lang, () => Promise<Texts>>): () => Texts {
  const loaded = new Map<Lang, Promise<Texts>>();
  return () => {
    const { lang } = useLang();
    const texts = loaded.get(lang) ?? loaders[lang]();
    loaded.set(lang, texts);
    return use(texts);
  };
}
