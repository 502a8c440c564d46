import type { AdminTexts } from './admin/ru.ts';
import { createTextsHook } from './lazy-texts.ts';

/** The texts of the operator's desk. */
export const useAdminTexts = createTextsHook<AdminTexts>({
  ru: async () => (await import('./admin/ru.ts')).ru,
  kk: async () => (await import('./admin/kk.ts')).kk,
  en: async () => (await import('./admin/en.ts')).en,
});
