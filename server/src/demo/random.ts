/** Repeatable chance: the same seed gives the same numbers, so a demo can be described and tested. */
export type Chance = {
  /** From 0 up to 1. */
  next(): number;
  /** True so often. */
  is(share: number): boolean;
  /** A whole number from the first to the second, both included. */
  whole(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  text(alphabet: string, length: number): string;
  /** A UUIDv7 of a time. */
  id(at: Date): string;
};

export function createChance(seed: string): Chance {
  let state = hashOf(seed);
  // Mulberry32: one multiplication more than a counter, and good enough for a picture of traffic.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const text = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[whole(0, alphabet.length - 1)]).join('');
  return {
    next,
    is: (share) => next() < share,
    whole,
    pick: <Item>(items: readonly Item[]) => items[whole(0, items.length - 1)] as Item,
    text,
    id(at) {
      const time = at.getTime().toString(16).padStart(12, '0');
      const rest = text('0123456789abcdef', 19);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
    },
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
