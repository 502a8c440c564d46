/**
 * Merges two lists, each read newest first in its own pages, into one. A stream that stopped early
 * may have anything below that point, so nothing older is shown yet.
 */
export type Item<Row, Position> = { row: Row; timeMs: number; position: Position };

export type StreamPage<Row, Position> = {
  /** Newest first. */
  items: readonly Item<Row, Position>[];
  /**
   * Where the stream stopped to answer in time; undefined when the page is full or the stream
   * ended.
   */
  stopped: { timeMs: number; position: Position } | undefined;
};

export type Merged<Row, A, B> = {
  rows: Row[];
  /** Where each stream continues; undefined is its beginning. */
  next: { a: A | undefined; b: B | undefined } | undefined;
  searchedUntilMs: number | undefined;
};

/** Each page must have been read with one row more than `rowsMax`. */
export function mergeStreams<Row, A, B>(
  from: { a: A | undefined; b: B | undefined },
  a: StreamPage<Row, A>,
  b: StreamPage<Row, B>,
  rowsMax: number,
): Merged<Row, A, B> {
  const stops = [a.stopped, b.stopped].flatMap((stop) => (stop === undefined ? [] : [stop.timeMs]));
  const horizonMs = stops.length === 0 ? Number.NEGATIVE_INFINITY : Math.max(...stops);
  const rows: Row[] = [];
  const taken = { a: 0, b: 0 };
  while (rows.length < rowsMax) {
    const nextA = a.items[taken.a];
    const nextB = b.items[taken.b];
    const isA = nextB === undefined || (nextA !== undefined && nextA.timeMs >= nextB.timeMs);
    const newest = isA ? nextA : nextB;
    if (newest === undefined || newest.timeMs < horizonMs) break;
    rows.push(newest.row);
    taken[isA ? 'a' : 'b'] += 1;
  }
  const isFull = rows.length === rowsMax;
  const isFinished = isAllTaken(a, taken.a) && isAllTaken(b, taken.b) && stops.length === 0;
  return {
    rows,
    next: isFinished
      ? undefined
      : { a: positionAfter(a, taken.a, from.a), b: positionAfter(b, taken.b, from.b) },
    searchedUntilMs: isFull || stops.length === 0 ? undefined : horizonMs,
  };
}

function isAllTaken({ items }: StreamPage<unknown, unknown>, taken: number): boolean {
  return taken === items.length;
}

/** When all items are shown, the stream continues from where it stopped reading. */
function positionAfter<Position>(
  page: StreamPage<unknown, Position>,
  taken: number,
  before: Position | undefined,
): Position | undefined {
  if (page.stopped !== undefined && isAllTaken(page, taken)) return page.stopped.position;
  return taken === 0 ? before : page.items[taken - 1]?.position;
}
