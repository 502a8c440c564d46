/**
 * Remembers what a look-up said for a moment, and asks only once when many ask together. A time of
 * one second is what makes "works on every node within a second" true without any message between
 * the nodes.
 */
export type Cache<Key, Value> = { get(key: Key): Promise<Value> };

export function createTtlCache<Key, Value>(options: {
  ttlMs: number;
  entriesMax: number;
  load(key: Key): Promise<Value>;
}): Cache<Key, Value> {
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

/** Loads something once, when it is first needed. A load that failed is not remembered. */
export function createLazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    if (loading !== undefined) return loading;
    const started = load();
    loading = started;
    started.catch(() => {
      loading = undefined;
    });
    return started;
  };
}

/**
 * Remembers what look-ups said for as long as nothing has changed. Whether something has is asked
 * once in a while for all of them together, by one number that every change moves.
 */
export function createVersionedCache<Key, Value>(options: {
  /** How old the answer to "has anything changed" may be. */
  ttlMs: number;
  entriesMax: number;
  readVersion(): Promise<number>;
  load(key: Key): Promise<Value>;
  /** False for what may end by the clock alone: that is looked up again after `ttlMs`. */
  lasts(value: Value): boolean;
}): Cache<Key, Value> {
  const { ttlMs, entriesMax, load } = options;
  const versions = createTtlCache({
    ttlMs,
    entriesMax: 1,
    load: (_all: 'all') => options.readVersion(),
  });
  const lasting = new Map<Key, Value>();
  let recent = createTtlCache({ ttlMs, entriesMax, load });
  let version: number | undefined;

  return {
    async get(key) {
      const read = await versions.get('all');
      if (read !== version) {
        // Everything that is remembered was looked up after its version was read, so it is at least
        // as new: that is why the look-ups under way are forgotten too.
        version = read;
        lasting.clear();
        recent = createTtlCache({ ttlMs, entriesMax, load });
      }
      const known = lasting.get(key);
      if (known !== undefined) return known;
      const value = await recent.get(key);
      if (read === version && value !== undefined && options.lasts(value)) {
        if (lasting.size >= entriesMax) lasting.clear();
        lasting.set(key, value);
      }
      return value;
    },
  };
}
