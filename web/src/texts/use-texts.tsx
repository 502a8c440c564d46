import type { Lang } from '@zhiber/contract/languages.ts';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { createFormat, type Format } from '../design/format/format.ts';
import { rememberChoice } from '../design/theme/remember.ts';
import type { Texts } from './ru.ts';

/** Loads the texts of one language. The cabinet and `/try` load different sets. */
export type LoadTexts = (lang: Lang) => Promise<Texts>;

type Locale = {
  lang: Lang;
  texts: Texts;
  format: Format;
  /** Loads the texts, then shows them; the choice stays in this browser. */
  setLang: (lang: Lang) => Promise<void>;
};
const LocaleContext = createContext<Locale | undefined>(undefined);

export function TextsProvider(props: {
  lang: Lang;
  texts: Texts;
  load: LoadTexts;
  children: ReactNode;
}) {
  const { load } = props;
  const [current, setCurrent] = useState({ lang: props.lang, texts: props.texts });
  useEffect(() => {
    document.documentElement.lang = current.lang;
  }, [current.lang]);
  const locale = useMemo<Locale>(
    () => ({
      ...current,
      format: createFormat(current.lang),
      setLang: async (lang) => {
        const texts = await load(lang);
        rememberChoice('lang', lang);
        setCurrent({ lang, texts });
      },
    }),
    [current, load],
  );
  return <LocaleContext value={locale}>{props.children}</LocaleContext>;
}

function useLocale(): Locale {
  const locale = useContext(LocaleContext);
  if (locale === undefined) throw new Error('texts are asked for outside of TextsProvider');
  return locale;
}

/** Every text of the cabinet in the reader's language: `useTexts().keys.title`. */
export function useTexts(): Texts {
  return useLocale().texts;
}

/** Times, money, numbers and phones as the reader writes them. */
export function useFormat(): Format {
  return useLocale().format;
}

export function useLang(): Pick<Locale, 'lang' | 'setLang'> {
  const { lang, setLang } = useLocale();
  return { lang, setLang };
}
