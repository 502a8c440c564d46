import { createTextsHook } from './lazy-texts.ts';
import type { broadcastProgress } from './ru/broadcast-progress.ts';

export type ProgressTexts = typeof broadcastProgress;

/** The texts of a started broadcast: whoever watches one has no use for those of drafts. */
export const useProgressTexts = createTextsHook<ProgressTexts>({
  ru: async () => (await import('./ru/broadcast-progress.ts')).broadcastProgress,
  kk: async () => (await import('./kk/broadcast-progress.ts')).broadcastProgress,
  en: async () => (await import('./en/broadcast-progress.ts')).broadcastProgress,
});
