/** A longer gap, such as before a click, is drawn truncated. */
const GAP_DRAWN_MAX_MS = 60_000;

export type Gap = {
  ms: number;
  /** Its share of the longest gap, for the length of its bar. */
  share: number;
  isCut: boolean;
};

/** The time between each step and the previous one; 0 for the first. */
export function gapsOf(steps: readonly { at: string }[]): Gap[] {
  const spans = steps.map(({ at }, place) => {
    const before = steps[place - 1]?.at ?? at;
    return Math.max(0, Date.parse(at) - Date.parse(before));
  });
  const longest = Math.max(1, ...spans.map((ms) => Math.min(ms, GAP_DRAWN_MAX_MS)));
  return spans.map((ms) => ({
    ms,
    share: Math.min(ms, GAP_DRAWN_MAX_MS) / longest,
    isCut: ms > GAP_DRAWN_MAX_MS,
  }));
}
