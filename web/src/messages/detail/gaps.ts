/** Shorter gaps are drawn as short as can be, longer ones, such as before a click, truncated. */
const DRAWN_MIN_MS = 10;
const DRAWN_MAX_MS = 60_000;

export type Gap = {
  ms: number;
  /** From 0 to 1, for the length of its bar. */
  share: number;
  isCut: boolean;
};

/**
 * The time between each step and the previous one; 0 for the first. Bars grow with its logarithm, the
 * same in every story: with shares of the longest gap, 4 ms in a quick story were as tall as 31 s in
 * a slow one.
 */
export function gapsOf(steps: readonly { at: string }[]): Gap[] {
  return steps.map(({ at }, place) => {
    const before = steps[place - 1]?.at ?? at;
    const ms = Math.max(0, Date.parse(at) - Date.parse(before));
    return { ms, share: shareOf(ms), isCut: ms > DRAWN_MAX_MS };
  });
}

function shareOf(ms: number): number {
  const drawn = Math.min(Math.max(ms, DRAWN_MIN_MS), DRAWN_MAX_MS);
  return Math.log(drawn / DRAWN_MIN_MS) / Math.log(DRAWN_MAX_MS / DRAWN_MIN_MS);
}
