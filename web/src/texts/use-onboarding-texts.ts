import { createTextsHook } from './lazy-texts.ts';
import type { onboarding } from './ru/onboarding.ts';

export type OnboardingTexts = typeof onboarding;

/** The texts of the first steps. */
export const useOnboardingTexts = createTextsHook<OnboardingTexts>({
  ru: async () => (await import('./ru/onboarding.ts')).onboarding,
  kk: async () => (await import('./kk/onboarding.ts')).onboarding,
  en: async () => (await import('./en/onboarding.ts')).onboarding,
});
