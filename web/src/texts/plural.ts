/**
 * Picks the form that a number needs. Russian has three forms, English and Kazakh two; a Kazakh
 * noun does not change after a number at all.
 */
const rules = {
  ru: new Intl.PluralRules('ru'),
  en: new Intl.PluralRules('en'),
};

/** `pluralRu(5, 'ключ', 'ключа', 'ключей')` */
export function pluralRu(count: number, one: string, few: string, many: string): string {
  const form = rules.ru.select(count);
  return form === 'one' ? one : form === 'few' ? few : many;
}

export function pluralEn(count: number, one: string, other: string): string {
  return rules.en.select(count) === 'one' ? one : other;
}
