/**
 * Remembers what a look-up said for a moment, and asks only once when many ask together. A time of
 * one second is what makes "works on every node within a second" true without any message between
 * the nodes.
 */
export type TtlCache<Key, Value> = { get(key: Key): Promise<Value> };

export function createTtlCache<Key, Value>(options: {
  ttlMs: number;
  entriesMax: number;
  load(key: Key): Promise<Value>;
}): TtlCache<Key, Value> {
  const entries = new Map<Key, { value: Promise<Value>; until: number }>();

  return {
    get(key) {
      const known = entries.get(key);
      const now = performance.now();
      if (known !== undefined && known.until > now) return known.value;
      if (entries.size >= options.entriesMax) entries.clear();
      const value = options.load(key);
      const entry = { value, until: now + options.ttlMs };
      entries.set(key, entry);
      // A failed look-up is not remembered: the next caller asks again.
      value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return value;
    },
  };
}
