/** A longer wait than this, such as one for a click, is drawn as cut. */
const DRAWN_MS = 60_000;

export type Gap = {
  ms: number;
  /** Its part of the longest gap, for the length of its bar. */
  share: number;
  isCut: boolean;
};

/** The time between each step and the one before it; the first has none before it. */
export function gapsOf(steps: readonly { at: string }[]): Gap[] {
  const spans = steps.map(({ at }, place) => {
    const before = steps[place - 1]?.at ?? at;
    return Math.max(0, Date.parse(at) - Date.parse(before));
  });
  const longest = Math.max(1, ...spans.map((ms) => Math.min(ms, DRAWN_MS)));
  return spans.map((ms) => ({
    ms,
    share: Math.min(ms, DRAWN_MS) / longest,
    isCut: ms > DRAWN_MS,
  }));
}
