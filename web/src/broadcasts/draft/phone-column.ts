const PHONE_HEADING = /тел|phone|номер|моб|whats/i;
const PHONE_CELL = /^\D{0,4}[78]?\D{0,3}\d{3}\D{0,3}\d{3}\D{0,2}\d{2}\D{0,2}\d{2}\D{0,2}$/;

/** The column that most likely holds the phones, from 1; undefined when none looks like it. */
export function guessPhoneColumn(
  columns: readonly string[],
  preview: readonly { cells: readonly string[] }[],
): number | undefined {
  const phonesIn = (place: number) =>
    preview.filter(({ cells }) => PHONE_CELL.test(cells[place]?.trim() ?? '')).length;
  const places = columns.map((heading, place) => ({
    place,
    score: phonesIn(place) * 2 + (PHONE_HEADING.test(heading) ? 1 : 0),
  }));
  const best = places.toSorted((one, other) => other.score - one.score)[0];
  return best === undefined || best.score === 0 ? undefined : best.place + 1;
}
