import type { Lang } from '@zhiber/contract/languages.ts';
import type { Texts } from './ru.ts';

type TryTexts = Pick<Texts, 'layout' | 'playground' | 'ui'>;

const LOADERS: Record<Lang, () => Promise<TryTexts>> = {
  ru: () => import('./try/ru.ts'),
  kk: () => import('./try/kk.ts'),
  en: () => import('./try/en.ts'),
};

/** The components of `/try` read these texts alone, so that page loads no others. */
export async function loadTryTexts(lang: Lang): Promise<Texts> {
  return (await LOADERS[lang]()) as Texts;
}
