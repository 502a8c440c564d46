/**
 * While the service is overloaded: for how many milliseconds of work may be under way before a call
 * of a kind is refused. What can best be done later goes first; the check of a code, for which a
 * person stands before a closed door, goes last.
 */
const WORK_MS_MAX = {
  page: 50,
  shorten: 70,
  redirect: 90,
  send: 120,
  verify: 200,
} as const;
export type CallKind = keyof typeof WORK_MS_MAX;

/**
 * However slow it has been, so many may be under way: how fast it can be, it only learns from work.
 * The first is no overload yet; the second goes on in one, for each kind in proportion.
 */
const CALLS_MIN = 320;
const CALLS_MIN_OVERLOADED = 96;

/**
 * More work than this, for as long as this, is an overload; it is over when nothing had to be
 * refused for as long. A burst of thousands is none: it is worked off in that time.
 */
const OVERLOAD_WORK_MS = 150;
const LASTING_MS = 1_000;
const BURST_MAX = 3_072;

/** How long answers are counted before they say how fast the service is. */
const PACE_WINDOW_MS = 250;
/** What is left of the best moment after each such time: half of it after seven seconds. */
const PACE_KEPT = 0.975;

/** Calls that are under way, and how many have been answered since the start. */
export type Activity = { underWay: number; answered: number };

/** Decides about each call whether there is room for it, by what was answered of late. */
export function createAdmission(now: () => number = () => performance.now()) {
  const pace = createPace(now);
  let isOverloaded = false;
  /** Since when the sign of the other state lasts. */
  let turnsSinceMs: number | undefined;

  return {
    isAdmitted(kind: CallKind, activity: Activity): boolean {
      const perMs = pace(activity.answered);
      const roomOverloaded =
        Math.max(perMs, CALLS_MIN_OVERLOADED / WORK_MS_MAX.send) * WORK_MS_MAX[kind];
      const room = isOverloaded ? roomOverloaded : Math.max(perMs * OVERLOAD_WORK_MS, CALLS_MIN);
      const isFull = activity.underWay >= room;
      if (isFull === isOverloaded) turnsSinceMs = undefined;
      else {
        turnsSinceMs ??= now();
        if (now() - turnsSinceMs >= LASTING_MS) {
          isOverloaded = isFull;
          turnsSinceMs = undefined;
        }
      }
      return activity.underWay < (isOverloaded ? roomOverloaded : BURST_MAX);
    },
  };
}

/**
 * How many calls the service can answer in a millisecond, from a count that only rises: as many as
 * it did in its best moment, which is forgotten bit by bit. What it does just now would not do: a
 * service that lets few in answers few, and would let in fewer still.
 */
function createPace(now: () => number): (answered: number) => number {
  let window = { startMs: now(), answered: 0 };
  let perMs = 0;
  return (answered) => {
    const passedMs = now() - window.startMs;
    if (passedMs >= PACE_WINDOW_MS) {
      perMs = Math.max((answered - window.answered) / passedMs, perMs * PACE_KEPT);
      window = { startMs: now(), answered };
    }
    return perMs;
  };
}
