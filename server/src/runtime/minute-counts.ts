/** Good and bad results of one name and source in one minute. */
export type MinuteCount<Name, Source> = {
  /** The beginning of the minute, in milliseconds. */
  minuteMs: number;
  name: Name;
  source: Source;
  good: number;
  bad: number;
};

export type MinuteCounts<Name, Source> = {
  add(name: Name, source: Source, isGood: boolean): void;
  /** What was counted since the minute of an instant, saved or not. */
  since(ms: number): MinuteCount<Name, Source>[];
  /** Hands over what has not been saved. What a save could not write stays for the next one. */
  save(write: (counts: MinuteCount<Name, Source>[]) => Promise<void>): Promise<void>;
};

const MINUTE_MS = 60_000;
/** An outage of the database is written down afterwards, if it was no longer than this. */
const KEPT_MINUTES = 24 * 60;
/** What was saved is kept for as long as the current state is judged by it. */
const RECENT_MINUTES = 15;

/** Counts in memory, so that nothing waits for it and an outage of the database does not stop it. */
export function createMinuteCounts<Name extends string, Source extends string>(
  now: () => number = Date.now,
): MinuteCounts<Name, Source> {
  type Count = MinuteCount<Name, Source>;
  const all = new Map<string, Count>();
  let unsaved = new Map<string, Count>();

  const forgetOld = (counts: Map<string, Count>, minutes: number) => {
    const limit = now() - minutes * MINUTE_MS;
    for (const [key, { minuteMs }] of counts) {
      // Insertion order is the order of time.
      if (minuteMs >= limit) return;
      counts.delete(key);
    }
  };
  const addTo = (counts: Map<string, Count>, key: string, added: Count) => {
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { ...added });
    else {
      known.good += added.good;
      known.bad += added.bad;
    }
  };

  return {
    add(name, source, isGood) {
      const minuteMs = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
      const key = `${minuteMs} ${name} ${source}`;
      const one = { minuteMs, name, source, good: isGood ? 1 : 0, bad: isGood ? 0 : 1 };
      addTo(all, key, one);
      addTo(unsaved, key, one);
    },
    since(ms) {
      forgetOld(all, RECENT_MINUTES);
      const first = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
      return [...all.values()]
        .filter(({ minuteMs }) => minuteMs >= first)
        .map((count) => ({ ...count }));
    },
    async save(write) {
      forgetOld(all, RECENT_MINUTES);
      if (unsaved.size === 0) return;
      const taken = unsaved;
      unsaved = new Map();
      try {
        await write([...taken.values()]);
      } catch (error) {
        // The older ones first, as they were.
        const newer = unsaved;
        unsaved = taken;
        for (const [key, count] of newer) addTo(unsaved, key, count);
        forgetOld(unsaved, KEPT_MINUTES);
        throw error;
      }
    },
  };
}
