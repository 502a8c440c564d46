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

type Entry<Name, Source> = MinuteCount<Name, Source> & { savedGood: number; savedBad: number };

/**
 * Counts in memory, so that nothing waits for it and an outage of the database does not stop it.
 * Every answer is counted, so `add` is cheap: it finds the entry of the minute by a short key.
 */
export function createMinuteCounts<Name extends string, Source extends string>(
  now: () => number = Date.now,
): MinuteCounts<Name, Source> {
  /** By minute, name and source; insertion order is the order of time. */
  const entries = new Map<string, Entry<Name, Source>>();
  /** Those of the minute that began at `minuteMs`, by name and source. */
  let current = new Map<string, Entry<Name, Source>>();
  let minuteMs = 0;

  const entryOf = (name: Name, source: Source, key: string) => {
    const fullKey = `${minuteMs} ${key}`;
    const known = entries.get(fullKey);
    const entry = known ?? { minuteMs, name, source, good: 0, bad: 0, savedGood: 0, savedBad: 0 };
    entries.set(fullKey, entry);
    current.set(key, entry);
    return entry;
  };
  const forgetOld = () => {
    const nowMs = now();
    for (const [key, entry] of entries) {
      const isSaved = entry.good === entry.savedGood && entry.bad === entry.savedBad;
      const minutes = isSaved ? RECENT_MINUTES : KEPT_MINUTES;
      if (entry.minuteMs >= nowMs - minutes * MINUTE_MS) return;
      entries.delete(key);
    }
  };

  return {
    add(name, source, isGood) {
      const nowMs = now();
      if (nowMs < minuteMs || nowMs >= minuteMs + MINUTE_MS) {
        minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
        current = new Map();
      }
      const key = `${name} ${source}`;
      const entry = current.get(key) ?? entryOf(name, source, key);
      if (isGood) entry.good += 1;
      else entry.bad += 1;
    },
    since(ms) {
      forgetOld();
      const first = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
      return [...entries.values()]
        .filter((entry) => entry.minuteMs >= first)
        .map(({ savedGood: _good, savedBad: _bad, ...count }) => count);
    },
    async save(write) {
      forgetOld();
      const unsaved = [...entries.values()].flatMap((entry) => {
        const { savedGood, savedBad, ...count } = entry;
        const good = count.good - savedGood;
        const bad = count.bad - savedBad;
        return good + bad === 0 ? [] : [{ entry, count: { ...count, good, bad } }];
      });
      if (unsaved.length === 0) return;
      await write(unsaved.map(({ count }) => count));
      for (const { entry, count } of unsaved) {
        entry.savedGood += count.good;
        entry.savedBad += count.bad;
      }
    },
  };
}
