import { createVersionedCache } from '../cache.ts';
import type { Database } from '../db/database.ts';
import { perDatabase } from '../db/per-database.ts';
import type { KeyId } from '../ids.ts';
import type { ApiKey } from './api-key.ts';
import { findKeyByHash, findKeyById, type KeyBySecret, readKeyVersion } from './key-store.ts';
import { hashOfKey, isKeyText } from './key-text.ts';

// Under a second, so that a revocation or a changed setting works on every node within one.
const KEY_TTL_MS = 800;
const KEYS_MAX = 20_000;

const keysByText = perDatabase((db) =>
  createVersionedCache({
    ttlMs: KEY_TTL_MS,
    entriesMax: KEYS_MAX,
    readVersion: () => readKeyVersion(db),
    load: (text: string) => findKeyByHash(db, hashOfKey(text)),
    lasts: (found) => found !== undefined && !found.isPrevious,
  }),
);
const keysById = perDatabase((db) =>
  createVersionedCache({
    ttlMs: KEY_TTL_MS,
    entriesMax: KEYS_MAX,
    readVersion: () => readKeyVersion(db),
    load: (id: KeyId) => findKeyById(db, id),
    lasts: () => true,
  }),
);

/**
 * Undefined for a text that is no key or that nobody has. Junk is refused without asking the
 * database.
 */
export async function findKey(db: Database, text: string): Promise<KeyBySecret | undefined> {
  return isKeyText(text) ? await keysByText(db).get(text) : undefined;
}

/** The key a message was sent with. */
export async function readKey(db: Database, id: KeyId): Promise<ApiKey> {
  const key = await keysById(db).get(id);
  if (key === undefined) throw new Error(`key ${id} does not exist`);
  return key;
}
