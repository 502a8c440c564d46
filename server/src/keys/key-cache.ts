import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { KeyId } from '../ids.ts';
import { createVersionedCache } from '../runtime/cache.ts';
import { hashOfToken } from '../token.ts';
import type { ApiKey } from './api-key.ts';
import {
  findKeyByHash,
  findKeyById,
  type KeyBySecret,
  readKeyVersion,
  recordUses,
} from './key-store.ts';
import { isKeyText } from './key-text.ts';

/** API keys for requests, less than a second behind the database. */
export type KeyCache = {
  /** Undefined for an unknown key. A malformed text is refused without asking the database. */
  find(text: string): Promise<KeyBySecret | undefined>;
  /** The key a message was sent with. */
  read(id: KeyId): Promise<ApiKey>;
  /** Records the use of a secret, at most once a minute for each. Does not block. */
  noteUse(id: KeyId, isPrevious?: boolean): void;
};

// Under a second, so that a revocation or a changed setting takes effect on every node within one.
const KEY_TTL_MS = 800;
const KEYS_MAX = 20_000;
/** People want to know whether a key is still in use, not the second of its last call. */
const NOTE_EVERY_MS = 60_000;

export function openKeyCache({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: Logger;
}): KeyCache {
  const limits = {
    ttlMs: KEY_TTL_MS,
    entriesMax: KEYS_MAX,
    readVersion: () => readKeyVersion(db),
  };
  const byText = createVersionedCache({
    ...limits,
    load: (text: string) => findKeyByHash(db, hashOfToken(text)),
    lasts: (found) => found !== undefined && !found.isPrevious && found.key.expiresAt === null,
  });
  const byId = createVersionedCache({
    ...limits,
    load: (id: KeyId) => findKeyById(db, id),
    lasts: (key) => key?.expiresAt === null,
  });
  const notedAt = { present: new Map<KeyId, number>(), previous: new Map<KeyId, number>() };

  return {
    find: async (text) => (isKeyText(text) ? await byText.get(text) : undefined),
    async read(id) {
      const key = await byId.get(id);
      if (key === undefined) throw new Error(`key ${id} does not exist`);
      return key;
    },
    noteUse(id, isPrevious = false) {
      const noted = notedAt[isPrevious ? 'previous' : 'present'];
      const now = clock.now().getTime();
      if (now - (noted.get(id) ?? 0) < NOTE_EVERY_MS) return;
      if (noted.size >= KEYS_MAX) noted.clear();
      noted.set(id, now);
      db.inGroup(recordUses, { id, isPrevious }).catch((error: unknown) => {
        log.warn({ reason: (error as Error).message }, 'key use was not recorded');
      });
    },
  };
}
