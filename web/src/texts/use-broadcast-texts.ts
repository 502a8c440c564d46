import { createTextsHook } from './lazy-texts.ts';
import type { broadcasts } from './ru/broadcasts.ts';

export type BroadcastTexts = typeof broadcasts;

/** The texts of broadcasts. */
export const useBroadcastTexts = createTextsHook<'broadcasts', BroadcastTexts>(
  {
    ru: () => import('./ru/broadcasts.ts'),
    kk: () => import('./kk/broadcasts.ts'),
    en: () => import('./en/broadcasts.ts'),
  },
  'broadcasts',
);
