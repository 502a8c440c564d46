import type { SearchEntry } from './docs.ts';

/** A stretch of text; `isMatch` where it is what was searched for. */
export type ExcerptPart = { text: string; isMatch: boolean };
export type SearchResult = { entry: SearchEntry; excerpt: readonly ExcerptPart[] };

type Word = { text: string; start: number; end: number };

const WORD = /[\p{L}\p{N}_]+/gu;
const EXCERPT_LENGTH = 160;
/** How much of the excerpt stands before the first match. */
const EXCERPT_LEAD = 50;
/** Two words with fewer letters in common are not forms of one. */
const STEM_LENGTH_MIN = 4;
/** Of the shorter word, this many letters at its end may be an ending. */
const ENDING_LENGTH_MAX = 2;
/** The beginning of a page stands for the whole of it, so its title counts there most. */
const WEIGHTS = { page: 6, beginning: 16, heading: 10, text: 1 } as const;

/** Nobody types more; the search page is open to everybody, so a query may not cost much. */
const WORDS_MAX = 8;

/** A word of the query, with what is needed to compare it. */
type Asked = { text: string; stem: string; hasEndings: boolean };

/** The sections that have every word of the query, the best first. */
export function searchDocs(
  entries: readonly SearchEntry[],
  query: string,
  resultsMax: number,
): SearchResult[] {
  const asked = wordsOf(query)
    .slice(0, WORDS_MAX)
    .map(({ text }) => readAsked(text));
  if (asked.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, asked) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, resultsMax)
    .map(({ entry }) => ({ entry, excerpt: excerptOf(entry.text, asked) }));
}

function readAsked(text: string): Asked {
  // Codes of errors and names of fields have no endings.
  const hasEndings = /^\p{Script=Cyrillic}+$/u.test(text);
  return { text, stem: hasEndings ? stemOf(text) : text, hasEndings };
}

type Places = readonly { weight: number; words: readonly string[] }[];

/** The words of each section, taken apart when it is first searched. */
const placesByEntry = new WeakMap<SearchEntry, Places>();

function placesOf(entry: SearchEntry): Places {
  const known = placesByEntry.get(entry);
  if (known !== undefined) return known;
  const different = (text: string) => [...new Set(wordsOf(text).map((word) => word.text))];
  const places = [
    {
      weight: entry.heading === '' ? WEIGHTS.beginning : WEIGHTS.page,
      words: different(entry.page),
    },
    { weight: WEIGHTS.heading, words: different(entry.heading) },
    { weight: WEIGHTS.text, words: different(entry.text) },
  ];
  placesByEntry.set(entry, places);
  return places;
}

function scoreOf(entry: SearchEntry, asked: readonly Asked[]): number {
  const places = placesOf(entry);
  let score = 0;
  for (const one of asked) {
    let found = 0;
    for (const { weight, words } of places) found += weight * bestMatch(words, one);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

function bestMatch(words: readonly string[], asked: Asked): number {
  let best = 0;
  for (const word of words) best = Math.max(best, closeness(word, asked));
  return best;
}

/**
 * How well a word answers: itself, its beginning, or another form of it. Russian and Kazakh change
 * the ends of words: the query may lose its last letters («коды» finds «кода»), or both words their
 * endings («кілттерді» finds «кілтті»).
 */
function closeness(word: string, asked: Asked): number {
  if (word === asked.text) return 4;
  if (word.startsWith(asked.text)) return 3;
  if (word.startsWith(asked.stem)) return 2;
  return asked.hasEndings && isOtherForm(word, asked.text) ? 1 : 0;
}

function isOtherForm(word: string, asked: string): boolean {
  const shorter = Math.min(word.length, asked.length);
  if (shorter < STEM_LENGTH_MIN) return false;
  let common = 0;
  while (common < shorter && word[common] === asked[common]) common += 1;
  return common >= STEM_LENGTH_MIN && common >= shorter - ENDING_LENGTH_MAX;
}

function stemOf(word: string): string {
  const cut = word.length <= 3 ? 0 : word.length <= 5 ? 1 : word.length <= 7 ? 2 : 3;
  return word.slice(0, word.length - cut);
}

function excerptOf(text: string, asked: readonly Asked[]): ExcerptPart[] {
  const matches = wordsOf(text).filter((word) =>
    asked.some((one) => closeness(word.text, one) > 0),
  );
  const first = matches[0]?.start ?? 0;
  const start = first <= EXCERPT_LEAD ? 0 : text.indexOf(' ', first - EXCERPT_LEAD) + 1;
  const end = Math.min(text.length, start + EXCERPT_LENGTH);
  const parts: ExcerptPart[] = [{ text: start > 0 ? '… ' : '', isMatch: false }];
  let at = start;
  for (const match of matches) {
    if (match.start < at || match.end > end) continue;
    parts.push({ text: text.slice(at, match.start), isMatch: false });
    parts.push({ text: text.slice(match.start, match.end), isMatch: true });
    at = match.end;
  }
  parts.push({ text: text.slice(at, end) + (end < text.length ? ' …' : ''), isMatch: false });
  return parts.filter((part) => part.text !== '');
}

function wordsOf(text: string): Word[] {
  return [...text.toLowerCase().replaceAll('ё', 'е').matchAll(WORD)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}
