/**
 * Finds the reference of an order in what a payer wrote: in lower case, with spaces or dashes
 * anywhere, or with Cyrillic letters that look like Latin ones.
 */

/** Letters that look alike count as one. A zero and the letter O do, too. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  А: 'A',
  В: 'B',
  Е: 'E',
  Ё: 'E',
  З: '3',
  К: 'K',
  М: 'M',
  Н: 'H',
  О: '0',
  Р: 'P',
  С: 'C',
  Т: 'T',
  У: 'Y',
  Ү: 'Y',
  Х: 'X',
  І: '1',
  I: '1',
  O: '0',
};

/** The letters and digits alone, in one spelling. */
export function foldReference(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/gu, (letter) => LOOK_ALIKES[letter] ?? '')
    .replaceAll(/[IO]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}

export type ReferenceIndex<Item> = {
  /** The items that a text names; more than one when it is ambiguous. */
  findIn(text: string): Item[];
};

/** Looks up substrings, so that the time depends on the text and not on how many items there are. */
export function indexReferences<Item extends { reference: string }>(
  items: readonly Item[],
): ReferenceIndex<Item> {
  const byFolded = new Map<string, Item[]>();
  for (const item of items) {
    const folded = foldReference(item.reference);
    byFolded.set(folded, [...(byFolded.get(folded) ?? []), item]);
  }
  const lengths = [...new Set([...byFolded.keys()].map(({ length }) => length))];
  return {
    findIn(text) {
      const folded = foldReference(text);
      const found = new Set<string>();
      for (const length of lengths) {
        for (let start = 0; start + length <= folded.length; start++) {
          const part = folded.slice(start, start + length);
          if (byFolded.has(part)) found.add(part);
        }
      }
      // A reference that is a part of a longer one was not meant.
      const meant = [...found].filter(
        (part) => ![...found].some((other) => other !== part && other.includes(part)),
      );
      return meant.flatMap((part) => byFolded.get(part) ?? []);
    },
  };
}
