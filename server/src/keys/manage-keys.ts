import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import {
  CODE_LENGTH_DEFAULT,
  CODE_TTL_SECONDS_DEFAULT,
  FALLBACK_SECONDS_DEFAULT,
} from '@zhiber/contract/api/limits.ts';
import type { MessageLanguage } from '@zhiber/contract/message/message-text.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { changesBetween } from '../audit-log/changes.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, KeyId, PersonId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { hashOfToken } from '../token.ts';
import type { ApiKey, RotationOverlapHours } from './api-key.ts';
import {
  addEarlierSpend,
  CAP_PERIODS,
  type CapPeriod,
  listUncounted,
  lockSpending,
  startCounting,
  stopCounting,
} from './key-cap-store.ts';
import {
  countActiveKeys,
  dropPreviousSecret,
  findKeyById,
  findOwnKey,
  forgetPreviousUse,
  insertKey,
  type LockedKey,
  listOwnKeys,
  lockCompanyKeys,
  lockOwnKey,
  markKeyRevoked,
  type OwnKey,
  type OwnKeySettings,
  replaceSecret,
  updateOwnKey,
} from './key-store.ts';
import { newKeyText, shownParts } from './key-text.ts';

export type KeySettings = {
  companyId: CompanyId;
  name: string;
  isTest: boolean;
  /** In punycode, lower case (see readDomain). */
  domain?: string | undefined;
  channels?: readonly Channel[] | undefined;
  codeLength?: number | undefined;
  codeTtlSeconds?: number | undefined;
  fallbackSeconds?: number | undefined;
  language?: MessageLanguage | undefined;
  brand?: string | undefined;
  ratePerMinute?: number | undefined;
  /** Caps are not for test keys, which take no money. */
  monthlyCap?: number | undefined;
  dailyCap?: number | undefined;
  expiresAt?: Date | undefined;
  createdBy?: PersonId | undefined;
};

/**
 * Creates a key, with a new text unless one is given. It is returned only here; the database stores a
 * hash of it.
 */
export async function createKey(
  sql: Sql,
  settings: KeySettings,
  key = newKeyText(settings.isTest),
): Promise<{ keyId: KeyId; key: string }> {
  const keyId = await insertKey(sql, {
    companyId: settings.companyId,
    name: settings.name,
    isTest: settings.isTest,
    secretHash: hashOfToken(key),
    ...shownParts(key),
    domain: settings.domain ?? null,
    channels: settings.channels ?? CHANNELS,
    codeLength: settings.codeLength ?? CODE_LENGTH_DEFAULT,
    codeTtlSeconds: settings.codeTtlSeconds ?? CODE_TTL_SECONDS_DEFAULT,
    fallbackSeconds: settings.fallbackSeconds ?? FALLBACK_SECONDS_DEFAULT,
    language: settings.language ?? 'ru',
    brand: settings.brand ?? null,
    ratePerMinute: settings.ratePerMinute ?? null,
    monthlyCap: settings.monthlyCap ?? null,
    dailyCap: settings.dailyCap ?? null,
    expiresAt: settings.expiresAt ?? null,
    createdBy: settings.createdBy ?? null,
  });
  return { keyId, key };
}

/**
 * Gives a key a new secret; its id, settings and open codes stay. Undefined when there is no such
 * key or it is revoked.
 */
export async function rotateKey(
  sql: Sql,
  keyId: KeyId,
  overlapHours: RotationOverlapHours,
  text?: string,
): Promise<{ key: string } | undefined> {
  const known = await findKeyById(sql, keyId);
  if (known === undefined) return undefined;
  const key = text ?? newKeyText(known.isTest);
  const isReplaced = await replaceSecret(sql, {
    companyId: known.companyId,
    keyId,
    secretHash: hashOfToken(key),
    ...shownParts(key),
    overlapHours,
  });
  if (!isReplaced) return undefined;
  await forgetPreviousUse(sql, keyId);
  return { key };
}

type Keys = { db: Database };
type KeyRef = { companyId: CompanyId; keyId: KeyId };

/** More keys than any company has sites. A longer list would be hard to read. */
const ACTIVE_KEYS_MAX = 100;

/** Creates a key of a company, with an audit record. Its text is returned only here. */
export async function addKey(
  { db }: Keys,
  actor: Actor,
  settings: KeySettings,
): Promise<{ keyId: KeyId; key: string }> {
  const { companyId } = settings;
  return await db.transaction(async (tx) => {
    await lockCompanyKeys(tx, companyId);
    if ((await countActiveKeys(tx, companyId)) >= ACTIVE_KEYS_MAX) throw new Problem('too_many');
    return await addKeyIn(tx, actor, settings);
  });
}

/** As a part of a larger change. The caller sees to the limit. */
export async function addKeyIn(
  tx: Transaction,
  actor: Actor,
  settings: KeySettings,
): Promise<{ keyId: KeyId; key: string }> {
  const { companyId, name, isTest, domain, channels, monthlyCap, dailyCap, expiresAt } = settings;
  const made = await createKey(tx, { ...settings, createdBy: actor.person?.id });
  await recordAuditEvent(tx, actor, {
    companyId,
    action: 'key.created',
    object: name,
    after: { mode: isTest ? 'test' : 'live', domain, channels, monthlyCap, dailyCap, expiresAt },
  });
  return made;
}

/** Changes the settings of a key. Takes effect on every node within a second. */
export async function changeKey(
  { db }: Keys,
  actor: Actor,
  { settings, ...ref }: KeyRef & { settings: OwnKeySettings },
): Promise<void> {
  await applyToKey({ db }, actor, { ...ref, settingsFrom: () => settings });
}

/**
 * Gives keys of a company the same signature, all or none. Revoked keys and keys that have it are
 * left alone. Returns how many were changed.
 */
export async function changeKeyBrands(
  { db }: Keys,
  actor: Actor,
  change: { companyId: CompanyId; keyIds: readonly KeyId[]; brand: string | null },
): Promise<number> {
  const { companyId, keyIds, brand } = change;
  return await db.transaction(async (tx) => {
    let changed = 0;
    for (const keyId of keyIds) {
      const ref = { companyId, keyId };
      const before = await lockKey(tx, ref);
      if (before.revokedAt !== null || before.brand === brand) continue;
      await updateOwnKey(tx, ref, { ...before, brand });
      const changes = { before: { brand: before.brand }, after: { brand } };
      await record(tx, actor, ref, { action: 'key.changed', object: before.name, ...changes });
      changed += 1;
    }
    return changed;
  });
}

/** Changes the limits of a key and nothing else. */
export async function limitKey(
  { db }: Keys,
  actor: Actor,
  change: KeyRef & {
    limits: Pick<OwnKeySettings, 'ratePerMinute' | 'monthlyCap'>;
    /** Part of the same transaction, when something changes. */
    write: (tx: Transaction, keyName: string) => Promise<void>;
  },
): Promise<void> {
  const { limits, ...rest } = change;
  await applyToKey({ db }, actor, {
    ...rest,
    settingsFrom: (key) => {
      if (key.isTest && limits.monthlyCap !== null) {
        const errors = { monthly_cap: ['Тестовый ключ ничего не расходует, лимит ему не нужен'] };
        throw new Problem('validation_error', { errors });
      }
      return { ...key, ...limits };
    },
  });
}

const CAP_FIELDS = { month: 'monthlyCap', day: 'dailyCap' } as const satisfies Record<
  CapPeriod,
  keyof OwnKeySettings
>;

type KeyChange = KeyRef & {
  settingsFrom: (key: LockedKey) => OwnKeySettings;
  write?: (tx: Transaction, keyName: string) => Promise<void>;
};

async function applyToKey(
  { db }: Keys,
  actor: Actor,
  { settingsFrom, write, ...ref }: KeyChange,
): Promise<void> {
  const hasNewCap = await db.transaction(async (tx) => {
    await lockSpending(tx, ref.companyId);
    const before = await lockActive(tx, ref);
    const settings = settingsFrom(before);
    const changes = changesBetween<OwnKeySettings>(before, settings);
    if (changes === undefined) return false;
    await updateOwnKey(tx, ref, settings);
    let hasNew = false;
    for (const period of CAP_PERIODS) {
      const cap = CAP_FIELDS[period];
      const isNew = before[cap] === null && settings[cap] !== null;
      if (isNew) await startCounting(tx, { ...ref, period });
      if (settings[cap] === null) await stopCounting(tx, { ...ref, period });
      hasNew ||= isNew;
    }
    await record(tx, actor, ref, { action: 'key.changed', object: before.name, ...changes });
    await write?.(tx, before.name);
    return hasNew;
  });
  if (hasNewCap) await countEarlierSpend({ db });
}

/**
 * Completes the counts of keys that got a cap in the middle of a month or day. A process that dies before
 * leaves it to the next call.
 */
export async function countEarlierSpend({ db }: Keys): Promise<void> {
  const uncounted = await listUncounted(db);
  if (uncounted.length === 0) return;
  await db.maintain(async (sql) => {
    for (const spend of uncounted) await addEarlierSpend(sql, spend);
  });
}

/** Rotates a key. Its new text is returned only here. */
export async function renewKey(
  { db }: Keys,
  actor: Actor,
  { overlapHours, ...ref }: KeyRef & { overlapHours: RotationOverlapHours },
): Promise<{ key: string }> {
  return await db.transaction(async (tx) => {
    const { name: object } = await lockActive(tx, ref);
    const rotated = await rotateKey(tx, ref.keyId, overlapHours);
    if (rotated === undefined) throw new Error(`key ${ref.keyId} was not rotated`);
    const after = { overlap_hours: overlapHours };
    await record(tx, actor, ref, { action: 'key.rotated', object, after });
    return rotated;
  });
}

/** Ends the previous secret that a rotation left valid. */
export async function endPreviousSecret({ db }: Keys, actor: Actor, ref: KeyRef): Promise<void> {
  await db.transaction(async (tx) => {
    const { name: object } = await lockActive(tx, ref);
    if (!(await dropPreviousSecret(tx, ref))) return;
    const after = { overlap_hours: 0 };
    await record(tx, actor, ref, { action: 'key.rotated', object, after });
  });
}

/** Revokes a key permanently. Idempotent. */
export async function revokeKey(
  { db }: Keys,
  actor: Actor,
  { reason, ...ref }: KeyRef & { reason?: string | undefined },
): Promise<void> {
  await db.transaction(async (tx) => {
    const known = await lockKey(tx, ref);
    if (known.revokedAt !== null) return;
    await markKeyRevoked(tx, ref);
    const after = reason === undefined ? undefined : { reason };
    await record(tx, actor, ref, { action: 'key.revoked', object: known.name, after });
  });
}

async function lockKey(tx: Transaction, ref: KeyRef): Promise<LockedKey> {
  await lockCompanyKeys(tx, ref.companyId);
  const key = await lockOwnKey(tx, ref);
  if (key === undefined) throw new Problem('not_found');
  return key;
}

async function lockActive(tx: Transaction, ref: KeyRef): Promise<LockedKey> {
  const key = await lockKey(tx, ref);
  if (key.revokedAt !== null) throw new Problem('key_not_active');
  return key;
}

function record(
  tx: Transaction,
  actor: Actor,
  { companyId }: KeyRef,
  event: Omit<Parameters<typeof recordAuditEvent>[2], 'companyId'>,
): Promise<void> {
  return recordAuditEvent(tx, actor, { companyId, ...event });
}

/** A key of the company, revoked or not. The key of another company is `not_found`. */
export async function readOwnKey(
  { db }: Keys,
  companyId: CompanyId,
  keyId: number,
): Promise<ApiKey> {
  const key = await findOwnKey(db, companyId, keyId);
  if (key === undefined) throw new Problem('not_found');
  return key;
}

export async function listKeys({ db }: Keys, companyId: CompanyId): Promise<OwnKey[]> {
  return await listOwnKeys(db, companyId);
}
