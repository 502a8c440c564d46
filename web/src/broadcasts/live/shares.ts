/**
 * The shares of a whole in tenths of a percent, rounded so that they add up to exactly 100 %: the
 * tenths that rounding down leaves over go to those that lost most.
 */
export function sharesOf(counts: readonly number[]): number[] {
  const whole = counts.reduce((sum, count) => sum + count, 0);
  if (whole === 0) return counts.map(() => 0);
  const exact = counts.map((count) => (count / whole) * 1_000);
  const tenths = exact.map(Math.floor);
  const left = 1_000 - tenths.reduce((sum, tenth) => sum + tenth, 0);
  const byLoss = exact
    .map((value, place) => ({ place, loss: value - Math.floor(value) }))
    .sort((one, other) => other.loss - one.loss || one.place - other.place);
  for (const { place } of byLoss.slice(0, left)) tenths[place] = (tenths[place] as number) + 1;
  return tenths.map((tenth) => tenth / 1_000);
}
