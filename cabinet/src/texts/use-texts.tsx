import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { createFormat, type Format } from '../format/format.ts';
import { rememberChoice } from '../theme/remember.ts';
import type { Lang } from './language.ts';
import type { Texts } from './ru.ts';

/** One language is loaded; another one only when somebody asks for it. */
const LOADERS: Record<Lang, () => Promise<Texts>> = {
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
  en: async () => (await import('./en.ts')).en,
};

export function loadTexts(lang: Lang): Promise<Texts> {
  return LOADERS[lang]();
}

type Speech = {
  lang: Lang;
  texts: Texts;
  format: Format;
  /** Loads the texts, then shows them; the choice stays in this browser. */
  setLang: (lang: Lang) => Promise<void>;
};
const SpeechContext = createContext<Speech | undefined>(undefined);

export function TextsProvider(props: { lang: Lang; texts: Texts; children: ReactNode }) {
  const [spoken, setSpoken] = useState({ lang: props.lang, texts: props.texts });
  useEffect(() => {
    document.documentElement.lang = spoken.lang;
  }, [spoken.lang]);
  const speech = useMemo<Speech>(
    () => ({
      ...spoken,
      format: createFormat(spoken.lang),
      setLang: async (lang) => {
        const texts = await loadTexts(lang);
        rememberChoice('lang', lang);
        setSpoken({ lang, texts });
      },
    }),
    [spoken],
  );
  return <SpeechContext value={speech}>{props.children}</SpeechContext>;
}

function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (speech === undefined) throw new Error('texts are asked for outside of TextsProvider');
  return speech;
}

/** Every text of the cabinet in the reader's language: `useTexts().keys.title`. */
export function useTexts(): Texts {
  return useSpeech().texts;
}

/** Times, money, numbers and phones as the reader writes them. */
export function useFormat(): Format {
  return useSpeech().format;
}

export function useLang(): Pick<Speech, 'lang' | 'setLang'> {
  const { lang, setLang } = useSpeech();
  return { lang, setLang };
}
