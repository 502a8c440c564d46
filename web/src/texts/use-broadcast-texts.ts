import { createTextsHook } from './lazy-texts.ts';
import type { broadcasts } from './ru/broadcasts.ts';

export type BroadcastTexts = typeof broadcasts;

/** The texts of broadcasts. */
export const useBroadcastTexts = createTextsHook<BroadcastTexts>({
  ru: async () => (await import('./ru/broadcasts.ts')).broadcasts,
  kk: async () => (await import('./kk/broadcasts.ts')).broadcasts,
  en: async () => (await import('./en/broadcasts.ts')).broadcasts,
});
