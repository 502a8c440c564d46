import type { Lang } from '../language.ts';
import { TRY_TEXTS_EN } from './try-texts-en.ts';
import { TRY_TEXTS_KK } from './try-texts-kk.ts';
import { TRY_TEXTS_RU, type TryTexts } from './try-texts-ru.ts';

export const TRY_TEXTS: Record<Lang, TryTexts> = {
  ru: TRY_TEXTS_RU,
  kk: TRY_TEXTS_KK,
  en: TRY_TEXTS_EN,
};
