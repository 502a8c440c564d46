/**
 * Keeps the result of a load for a short time; concurrent look-ups of one key share one load. A TTL
 * of one second is what makes "works on every node within a second" true without any message
 * between the nodes.
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
      // A failed load is not cached: the next caller loads again.
      value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return value;
    },
  };
}

/** Loads a value once, on first use. A failed load is not cached. */
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
 * Keeps results for as long as nothing has changed. One version number, incremented by every
 * change, is read once per `ttlMs` for all keys together.
 */
export function createVersionedCache<Key, Value>(options: {
  /** How old the last read version may be. */
  ttlMs: number;
  entriesMax: number;
  readVersion(): Promise<number>;
  load(key: Key): Promise<Value>;
  /** False for a value that may expire with time alone: it is loaded again after `ttlMs`. */
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
      const current = await versions.get('all');
      if (current !== version) {
        // Every cached value must have been loaded after its version was read, so that it is at
        // least as new. That is why loads under way are dropped too.
        version = current;
        lasting.clear();
        recent = createTtlCache({ ttlMs, entriesMax, load });
      }
      const known = lasting.get(key);
      if (known !== undefined) return known;
      const value = await recent.get(key);
      if (current === version && value !== undefined && options.lasts(value)) {
        if (lasting.size >= entriesMax) lasting.clear();
        lasting.set(key, value);
      }
      return value;
    },
  };
}
