/**
 * The item that an arrow key moves to, around the ends of the list. `place` is -1 where none has
 * the focus.
 */
export function nextPlace(place: number, step: 1 | -1, count: number): number {
  if (place === -1) return step === 1 ? 0 : count - 1;
  return (place + step + count) % count;
}
