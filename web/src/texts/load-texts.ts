import type { Lang } from '@zhiber/contract/languages.ts';
import type { LaterTexts } from './later/ru.ts';
import { createLazyTexts } from './lazy-texts.ts';
import type { FirstTexts, Texts } from './ru.ts';

/** One language is loaded; another one only when somebody asks for it. */
const FIRST: Record<Lang, () => Promise<FirstTexts>> = {
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
  en: async () => (await import('./en.ts')).en,
};
const LATER = createLazyTexts(
  {
    ru: () => import('./later/ru.ts'),
    kk: () => import('./later/kk.ts'),
    en: () => import('./later/en.ts'),
  },
  'laterTexts',
);
const LATER_NAMES = [
  'audit',
  'balance',
  'company',
  'groups',
  'keys',
  'links',
  'papers',
  'playground',
  'profile',
  'requests',
  'team',
  'topup',
] as const satisfies readonly (keyof LaterTexts)[];

/** The texts of the first pages. A page that reads others suspends until they are loaded. */
export async function loadFirstTexts(lang: Lang): Promise<Texts> {
  const texts = { ...(await FIRST[lang]()) };
  for (const name of LATER_NAMES) {
    Object.defineProperty(texts, name, { get: () => LATER.read(lang)[name], enumerable: true });
  }
  return texts as Texts;
}

export async function loadTexts(lang: Lang): Promise<Texts> {
  const [texts] = await Promise.all([loadFirstTexts(lang), loadLaterTexts(lang)]);
  return texts;
}

export const loadLaterTexts = LATER.load;
