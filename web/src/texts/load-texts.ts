import type { Lang } from '@zhiber/contract/languages.ts';
import { use } from 'react';
import type { LaterTexts } from './later/ru.ts';
import type { FirstTexts, Texts } from './ru.ts';

/** One language is loaded; another one only when somebody asks for it. */
const FIRST: Record<Lang, () => Promise<FirstTexts>> = {
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
  en: async () => (await import('./en.ts')).en,
};
const LATER: Record<Lang, () => Promise<LaterTexts>> = {
  ru: async () => (await import('./later/ru.ts')).ru,
  kk: async () => (await import('./later/kk.ts')).kk,
  en: async () => (await import('./later/en.ts')).en,
};
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

type Later = { texts?: LaterTexts; loading?: Promise<LaterTexts> | undefined };
const laterByLang = new Map<Lang, Later>();

/** The texts of the first pages. A page that reads others suspends until they are loaded. */
export async function loadFirstTexts(lang: Lang): Promise<Texts> {
  const texts = { ...(await FIRST[lang]()) };
  for (const name of LATER_NAMES) {
    Object.defineProperty(texts, name, { get: () => readLater(lang)[name], enumerable: true });
  }
  return texts as Texts;
}

export async function loadTexts(lang: Lang): Promise<Texts> {
  const [texts] = await Promise.all([loadFirstTexts(lang), loadLaterTexts(lang)]);
  return texts;
}

export function loadLaterTexts(lang: Lang): Promise<LaterTexts> {
  const later = laterByLang.get(lang) ?? {};
  laterByLang.set(lang, later);
  later.loading ??= LATER[lang]().then(
    (texts) => {
      later.texts = texts;
      return texts;
    },
    (error: unknown) => {
      // The next reader asks again.
      later.loading = undefined;
      throw error;
    },
  );
  return later.loading;
}

function readLater(lang: Lang): LaterTexts {
  return laterByLang.get(lang)?.texts ?? use(loadLaterTexts(lang));
}
