import * as limits from '../api/limits.ts';
import {
  DEFAULT_PRICES,
  FIRST_TOPUP_BONUS,
  type Prices,
  TOPUP_MIN_DEFAULT,
  WELCOME_BONUS,
} from '../api/prices.ts';

/** What an installation fills in where the documentation says `{{name}}`. */
export type DocsFacts = {
  /** The origin of the site. */
  siteUrl: string;
  shortLinkBase: string;
  /** A test key that the reader may use, or the name of a shell variable. */
  key: string;
  /** Left out for a text that names no price. */
  prices?: Prices;
  topupMin: number;
};

export type PlaceholderValues = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{(.*?)\}\}/g;

export const KEY_VARIABLE = '$ZHIBER_KEY';

/**
 * CODE_TTL_SECONDS_MAX becomes `limit.codeTtlSecondsMax`; of a list, all its numbers. Milliseconds
 * are told in seconds: ATTEMPT_TIMEOUT_MS is `limit.attemptTimeoutSeconds`.
 */
const LIMITS: PlaceholderValues = Object.fromEntries(
  Object.entries(limits).map(([name, value]) => {
    const isMs = name.endsWith('_MS') && typeof value === 'number';
    const told = isMs ? name.replace(/_MS$/, '_SECONDS') : name;
    return [
      `limit.${told.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
      String(isMs ? value / 1_000 : typeof value === 'number' ? value : value.join(', ')),
    ];
  }),
);

/** A value for every placeholder that a page may use. */
export function placeholderValues(facts: DocsFacts): PlaceholderValues {
  const prices = Object.entries(facts.prices ?? {}).map(([item, price]) => [
    `price.${item}`,
    String(price),
  ]);
  return {
    ...LIMITS,
    ...Object.fromEntries(prices),
    'bonus.signUp': String(WELCOME_BONUS),
    'bonus.firstTopup': String(FIRST_TOPUP_BONUS),
    'topup.min': String(facts.topupMin),
    siteUrl: facts.siteUrl,
    apiUrl: `${facts.siteUrl}/api`,
    shortLinkBase: facts.shortLinkBase,
    key: facts.key,
  };
}

/** Every name that can stand in a page, with the value of a new installation. */
export const KNOWN_PLACEHOLDERS: PlaceholderValues = placeholderValues({
  siteUrl: '',
  shortLinkBase: '/s',
  key: KEY_VARIABLE,
  prices: DEFAULT_PRICES,
  topupMin: TOPUP_MIN_DEFAULT,
});

/** The names of the placeholders in a text that no installation could fill in. */
export function unknownPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)]
    .map(([, name = '']) => name)
    .filter((name) => !Object.hasOwn(KNOWN_PLACEHOLDERS, name));
}

/** Prices are in the database, which not every page needs. */
export function namesPrice(text: string): boolean {
  return text.includes('{{price.');
}

/** Fills in what the build has checked. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => values[name] ?? whole);
}
