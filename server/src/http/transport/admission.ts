/**
 * Load shedding under overload: a call of a kind is refused when the calls in flight amount to more
 * than this many milliseconds of work. The least urgent kinds are shed first. `verify` is last,
 * because a person is waiting to sign in.
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
 * Calls that may always be in flight, however low the measured throughput: it can only be measured
 * on admitted calls. Up to the first number is never an overload. The second holds for sends during
 * an overload, and for other kinds in proportion.
 */
const CALLS_MIN = 320;
const CALLS_MIN_OVERLOADED = 96;

/**
 * More work than this for `SUSTAINED_MS` is an overload. It ends when nothing had to be refused for
 * as long. A burst of thousands is no overload: it is drained within that time.
 */
const OVERLOAD_WORK_MS = 150;
const SUSTAINED_MS = 1_000;
const BURST_MAX = 3_072;

/** Answers are counted over this window to measure throughput. */
const THROUGHPUT_WINDOW_MS = 250;
/** The best throughput seen decays by this factor per window: to half in seven seconds. */
const THROUGHPUT_DECAY = 0.975;

/** Calls in flight, and how many have been answered since the start. */
export type Activity = { underWay: number; answered: number };

/** Admission control: decides by recent throughput whether a call is handled or refused. */
export function createAdmission(now: () => number = () => performance.now()) {
  const estimateThroughput = createThroughputEstimate(now);
  let isOverloaded = false;
  /** Since when the load has contradicted `isOverloaded` without a break. */
  let changingSinceMs: number | undefined;

  return {
    isAdmitted(kind: CallKind, activity: Activity): boolean {
      const perMs = estimateThroughput(activity.answered);
      const limitOverloaded =
        Math.max(perMs, CALLS_MIN_OVERLOADED / WORK_MS_MAX.send) * WORK_MS_MAX[kind];
      const limit = isOverloaded ? limitOverloaded : Math.max(perMs * OVERLOAD_WORK_MS, CALLS_MIN);
      const isFull = activity.underWay >= limit;
      if (isFull === isOverloaded) changingSinceMs = undefined;
      else {
        changingSinceMs ??= now();
        if (now() - changingSinceMs >= SUSTAINED_MS) {
          isOverloaded = isFull;
          changingSinceMs = undefined;
        }
      }
      return activity.underWay < (isOverloaded ? limitOverloaded : BURST_MAX);
    },
  };
}

/**
 * Estimates how many calls the service can answer per millisecond, from a counter that only rises.
 * It is the best recent window, decaying over time. The current rate would not do: a service that
 * admits few calls answers few, and would then admit fewer still.
 */
function createThroughputEstimate(now: () => number): (answered: number) => number {
  let window = { startMs: now(), answered: 0 };
  let perMs = 0;
  return (answered) => {
    const passedMs = now() - window.startMs;
    if (passedMs >= THROUGHPUT_WINDOW_MS) {
      perMs = Math.max((answered - window.answered) / passedMs, perMs * THROUGHPUT_DECAY);
      window = { startMs: now(), answered };
    }
    return perMs;
  };
}
