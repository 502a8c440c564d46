/**
 * Names of people, companies and brands go into messages, letters and pages of other people. They
 * may hold any letters, but nothing that a reader would take for something else: no line breaks, no
 * characters that hide or reorder text, and no web address, however its dots and letters are
 * spelled.
 */
export function isPlainName(text: string): boolean {
  if (HIDDEN.test(text)) return false;
  const plain = text.normalize('NFKC').replace(DOTS, '.').replaceAll(EMOJI_STYLE, '');
  return !ADDRESS.test(plain) && !ADDRESS.test(foldLookAlikes(plain));
}

/**
 * Cyrillic and Greek letters, each with the Latin letter it looks like: `сom` with a Cyrillic с
 * reads as `com`.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  һ: 'h',
  ԁ: 'd',
  ԛ: 'q',
  ԝ: 'w',
  α: 'a',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
};

function foldLookAlikes(text: string): string {
  return text.toLowerCase().replace(/\p{L}/gu, (letter) => LOOK_ALIKES[letter] ?? letter);
}

/** Follows a sign to show it in colour, so names may hold it, although it cannot be seen. */
const EMOJI_STYLE = '\uFE0F';
/**
 * Control characters, format characters (zero width, bidirectional overrides), line separators, and
 * what else fonts do not show.
 */
const HIDDEN = new RegExp(
  `(?!${EMOJI_STYLE})[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}\\p{Cs}\\p{Default_Ignorable_Code_Point}]`,
  'u',
);
/** Dots that browsers and phones take for the dot of a domain, and that NFKC leaves alone. */
const DOTS = /[\u3002\uff0e\uff61\u2024\u00b7\u2219\u22c5]/gu;
/** Of the top-level domains in Cyrillic, those that people here may meet. */
const CYRILLIC_DOMAINS =
  'қаз|рф|бел|укр|срб|мкд|мон|бг|ею|рус|ком|орг|онлайн|сайт|дети|москва|католик';
/**
 * A scheme, two slashes, `www`, or a name with a top-level domain. After a single letter only a
 * short one counts, because initials look alike: `t.me`, but A.Ivanov.
 */
const ADDRESS = new RegExp(
  `://|//|\\bwww\\b|[\\p{L}\\p{N}-]{2}\\.(?:xn--|[a-z]{2,}(?![\\p{L}\\p{N}])|(?:${CYRILLIC_DOMAINS})(?!\\p{L}))` +
    `|(?<![\\p{L}\\p{N}-])[\\p{L}\\p{N}]\\.(?:[a-z]{2,3}|${CYRILLIC_DOMAINS})(?!\\p{L})`,
  'iu',
);
