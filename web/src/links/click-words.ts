import type { ClickPart } from '@zhiber/contract/cabinet/clicks.ts';
import { useLang, useTexts } from '../texts/use-texts.tsx';
import { cityName, countryName } from './country-name.ts';

/** The words for a value of each property of a click; a value of a later release stays as it is. */
export function useClickWords(): Record<ClickPart, (value: string) => string> {
  const texts = useTexts().links;
  const { lang } = useLang();
  const wordOf = (words: Record<string, string>) => (value: string) => words[value] ?? value;
  return {
    device: wordOf(texts.deviceNames),
    system: wordOf(texts.systemNames),
    browser: wordOf(texts.browserNames),
    country: (code) => countryName(lang, code),
    city: (value) => cityName(lang, value),
    referrer: (host) => host,
  };
}
