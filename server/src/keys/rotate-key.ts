import type { Sql } from '../db/group-commit.ts';
import type { KeyId } from '../ids.ts';
import type { RotationOverlapHours } from './api-key.ts';
import { findKeyById, replaceSecret } from './key-store.ts';
import { hashOfKey, newKeyText, shownParts } from './key-text.ts';
import { forgetPreviousUse } from './key-use-store.ts';

/**
 * Gives the same key (same id, settings and codes in flight) a new secret. Undefined when there is
 * no such key or it is revoked.
 */
export async function rotateKey(
  sql: Sql,
  keyId: KeyId,
  overlapHours: RotationOverlapHours,
): Promise<{ key: string } | undefined> {
  const known = await findKeyById(sql, keyId);
  if (known === undefined) return undefined;
  const key = newKeyText(known.isTest);
  const isReplaced = await replaceSecret(sql, {
    companyId: known.companyId,
    keyId,
    secretHash: hashOfKey(key),
    ...shownParts(key),
    overlapHours,
  });
  if (!isReplaced) return undefined;
  await forgetPreviousUse(sql, keyId);
  return { key };
}
