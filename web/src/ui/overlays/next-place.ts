/**
 * The item that an arrow key moves to, around the ends of the list. `place` is -1 where none has
 * the focus.
 */
export function nextPlace(place: number, step: 1 | -1, count: number): number {
  if (place === -1) return step === 1 ? 0 : count - 1;
  return (place + step + count) % count;
}

/**
 * The item that a key moves to. A letter goes to the next item that begins with it. Undefined for a
 * key that moves nowhere.
 */
export function placeByKey(
  key: string,
  place: number,
  labels: readonly string[],
): number | undefined {
  const count = labels.length;
  switch (key) {
    case 'ArrowDown':
      return nextPlace(place, 1, count);
    case 'ArrowUp':
      return nextPlace(place, -1, count);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
  }
  if (!/^[\p{L}\d]$/u.test(key)) return undefined;
  const letter = key.toLocaleLowerCase();
  const inTurn = labels.map((_, step) => (place + 1 + step) % count);
  return inTurn.find((at) => labels[at]?.trim().toLocaleLowerCase().startsWith(letter));
}
