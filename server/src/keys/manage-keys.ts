import { type Actor, recordDeed } from '../audit/audit-store.ts';
import { changesBetween } from '../audit/changes.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId, KeyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import type { RotationOverlapHours } from './api-key.ts';
import { createKey, type KeySettings } from './create-key.ts';
import { dropPreviousSecret, markKeyRevoked } from './key-store.ts';
import {
  countActiveKeys,
  type LockedKey,
  lockKeysOf,
  lockOwnKey,
  type OwnKeySettings,
  updateOwnKey,
} from './own-key-store.ts';
import { rotateKey } from './rotate-key.ts';

type Keys = Pick<Context, 'db'>;
type Which = { companyId: CompanyId; keyId: KeyId };

/** More than any company has sites; each one is a line in a list that somebody has to read. */
const ACTIVE_KEYS_MAX = 100;

/** Creates a key of a company; its text is returned this once. */
export async function addKey(
  { db }: Keys,
  actor: Actor,
  settings: KeySettings,
): Promise<{ keyId: KeyId; key: string }> {
  const { companyId, name, isTest, domain, channels } = settings;
  return await db.transaction(async (tx) => {
    await lockKeysOf(tx, companyId);
    if ((await countActiveKeys(tx, companyId)) >= ACTIVE_KEYS_MAX) throw new Problem('too_many');
    const made = await createKey(tx, { ...settings, createdBy: actor.person?.id });
    await recordDeed(tx, actor, {
      companyId,
      action: 'key.created',
      object: name,
      after: { mode: isTest ? 'test' : 'live', domain, channels },
    });
    return made;
  });
}

/** What a change means works on every node within a second. */
export async function changeKey(
  { db }: Keys,
  actor: Actor,
  { settings, ...which }: Which & { settings: OwnKeySettings },
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockActive(tx, which);
    const changes = changesBetween<OwnKeySettings>(before, settings);
    if (changes === undefined) return;
    await updateOwnKey(tx, which, settings);
    await record(tx, actor, which, { action: 'key.changed', object: before.name, ...changes });
  });
}

/** The same key with a new text, returned this once. */
export async function renewKey(
  { db }: Keys,
  actor: Actor,
  { overlapHours, ...which }: Which & { overlapHours: RotationOverlapHours },
): Promise<{ key: string }> {
  return await db.transaction(async (tx) => {
    const { name: object } = await lockActive(tx, which);
    const rotated = await rotateKey(tx, which.keyId, overlapHours);
    if (rotated === undefined) throw new Error(`key ${which.keyId} was not rotated`);
    const after = { overlap_hours: overlapHours };
    await record(tx, actor, which, { action: 'key.rotated', object, after });
    return rotated;
  });
}

/** Ends the secret that a rotation has left to go on for a while. */
export async function endPreviousSecret({ db }: Keys, actor: Actor, which: Which): Promise<void> {
  await db.transaction(async (tx) => {
    const { name: object } = await lockActive(tx, which);
    if (!(await dropPreviousSecret(tx, which))) return;
    const after = { overlap_hours: 0 };
    await record(tx, actor, which, { action: 'key.rotated', object, after });
  });
}

/** Ends a key for good. Revoking twice is no error. */
export async function revokeKey(
  { db }: Keys,
  actor: Actor,
  { reason, ...which }: Which & { reason?: string | undefined },
): Promise<void> {
  await db.transaction(async (tx) => {
    const known = await lockKey(tx, which);
    if (known.revokedAt !== null) return;
    await markKeyRevoked(tx, which);
    const after = reason === undefined ? undefined : { reason };
    await record(tx, actor, which, { action: 'key.revoked', object: known.name, after });
  });
}

async function lockKey(tx: Transaction, which: Which): Promise<LockedKey> {
  await lockKeysOf(tx, which.companyId);
  const key = await lockOwnKey(tx, which);
  if (key === undefined) throw new Problem('not_found');
  return key;
}

async function lockActive(tx: Transaction, which: Which): Promise<LockedKey> {
  const key = await lockKey(tx, which);
  if (key.revokedAt !== null) throw new Problem('key_not_active');
  return key;
}

function record(
  tx: Transaction,
  actor: Actor,
  { companyId }: Which,
  deed: Omit<Parameters<typeof recordDeed>[2], 'companyId'>,
): Promise<void> {
  return recordDeed(tx, actor, { companyId, ...deed });
}
