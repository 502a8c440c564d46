import { createTextsHook } from './lazy-texts.ts';

/** The texts of the operator's desk. */
export const useAdminTexts = createTextsHook(
  {
    ru: () => import('./admin/ru.ts'),
    kk: () => import('./admin/kk.ts'),
    en: () => import('./admin/en.ts'),
  },
  'adminTexts',
);
