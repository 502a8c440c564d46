import { createTextsHook } from './lazy-texts.ts';
import type { onboarding } from './ru/onboarding.ts';

export type OnboardingTexts = typeof onboarding;

/** The texts of the first steps. */
export const useOnboardingTexts = createTextsHook(
  {
    ru: () => import('./ru/onboarding.ts'),
    kk: () => import('./kk/onboarding.ts'),
    en: () => import('./en/onboarding.ts'),
  },
  'onboarding',
);
