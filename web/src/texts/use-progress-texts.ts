import { createTextsHook } from './lazy-texts.ts';
import type { broadcastProgress } from './ru/broadcast-progress.ts';

export type ProgressTexts = typeof broadcastProgress;

/** The texts of a started broadcast: whoever watches one has no use for those of drafts. */
export const useProgressTexts = createTextsHook(
  {
    ru: () => import('./ru/broadcast-progress.ts'),
    kk: () => import('./kk/broadcast-progress.ts'),
    en: () => import('./en/broadcast-progress.ts'),
  },
  'broadcastProgress',
);
