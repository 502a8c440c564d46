import type { Context } from '../context.ts';
import { perDatabase } from '../db/per-database.ts';
import type { KeyId } from '../ids.ts';
import { recordUses } from './key-use-store.ts';

/** People ask whether a key is still used, not for the second of its last call. */
const NOTE_EVERY_MS = 60_000;
const KEYS_MAX = 20_000;

const notedAt = perDatabase(() => ({
  present: new Map<KeyId, number>(),
  previous: new Map<KeyId, number>(),
}));

/** Remembers that a secret of a key was used, at most once a minute for each. Returns at once. */
export function noteUse(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  id: KeyId,
  isPrevious = false,
): void {
  const noted = notedAt(db)[isPrevious ? 'previous' : 'present'];
  const now = clock.now().getTime();
  if (now - (noted.get(id) ?? 0) < NOTE_EVERY_MS) return;
  if (noted.size >= KEYS_MAX) noted.clear();
  noted.set(id, now);
  db.inGroup(recordUses, { id, isPrevious }).catch((error: unknown) => {
    log.warn({ reason: (error as Error).message }, 'use of a key not noted');
  });
}
