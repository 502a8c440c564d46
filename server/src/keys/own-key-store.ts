import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, KeyId } from '../ids.ts';
import type { ApiKey } from './api-key.ts';

/** What a company may set on its key. */
export type OwnKeySettings = Omit<ApiKey, 'id' | 'companyId' | 'isTest' | 'isRevoked'> & {
  name: string;
};

/** A key as its company sees it; of its text only what may be shown. */
export type OwnKey = OwnKeySettings & {
  id: KeyId;
  isTest: boolean;
  shownStart: string;
  shownEnd: string;
  /** While the previous secret goes on. */
  previousUntil: Date | null;
  createdAt: Date;
  createdBy: string | null;
  revokedAt: Date | null;
  usedAt: Date | null;
  /** Of the previous secret, since it was replaced. */
  previousUsedAt: Date | null;
};

const COLUMNS = `k.id, k.name, k.is_test as "isTest", k.domain, k.channels::text[] as channels,
  k.code_length as "codeLength", k.code_ttl_seconds as "codeTtlSeconds",
  k.fallback_seconds as "fallbackSeconds", k.language, k.brand, k.rate_per_minute as "ratePerMinute",
  k.shown_start as "shownStart", k.shown_end as "shownEnd",
  case when k.previous_until > clock_timestamp() then k.previous_until end as "previousUntil",
  k.created_at as "createdAt", k.revoked_at as "revokedAt"`;

/** Active ones first, then the newest. */
export async function listOwnKeys(sql: Sql, companyId: CompanyId): Promise<OwnKey[]> {
  return await sql.query<OwnKey>(
    `select ${COLUMNS}, p.name as "createdBy", u.used_at as "usedAt",
       u.previous_used_at as "previousUsedAt"
     from api_key k left join person p on p.id = k.created_by left join key_use u on u.key_id = k.id
     where k.company_id = $1 order by k.revoked_at is not null, k.id desc`,
    [companyId],
  );
}

export type LockedKey = Omit<OwnKey, 'createdBy' | 'usedAt' | 'previousUsedAt'>;

/** As it is now, and as it stays until the transaction ends. Undefined when it is another's. */
export async function lockOwnKey(
  tx: Transaction,
  { companyId, keyId }: { companyId: CompanyId; keyId: KeyId },
): Promise<LockedKey | undefined> {
  const rows = await tx.query<LockedKey>(
    `select ${COLUMNS} from api_key k where k.company_id = $1 and k.id = $2 for update`,
    [companyId, keyId],
  );
  return rows[0];
}

export async function updateOwnKey(
  tx: Transaction,
  { companyId, keyId }: { companyId: CompanyId; keyId: KeyId },
  settings: OwnKeySettings,
): Promise<void> {
  await tx.query(
    `update api_key set name = $3, domain = $4, channels = $5::text[]::channel[], code_length = $6,
       code_ttl_seconds = $7, fallback_seconds = $8, language = $9, brand = $10, rate_per_minute = $11
     where company_id = $1 and id = $2`,
    [
      companyId,
      keyId,
      settings.name,
      settings.domain,
      settings.channels,
      settings.codeLength,
      settings.codeTtlSeconds,
      settings.fallbackSeconds,
      settings.language,
      settings.brand,
      settings.ratePerMinute,
    ],
  );
}

/**
 * Until the transaction ends, nobody else changes the keys of this company. This lock comes before
 * any change: the audit log takes it too, and by then a changed key holds the row that counts the
 * changes of all keys. Whoever took the two the other way round would deadlock.
 */
export async function lockKeysOf(tx: Transaction, companyId: CompanyId): Promise<void> {
  await tx.query('select from company where id = $1 for no key update', [companyId]);
}

export async function countActiveKeys(tx: Transaction, companyId: CompanyId): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select count(*)::integer as count from api_key where company_id = $1 and revoked_at is null`,
    [companyId],
  );
  return (rows[0] as { count: number }).count;
}
