import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, KeyId, PersonId } from '../ids.ts';
import type { ApiKey, MessageLanguage } from './api-key.ts';

type KeyRow = {
  id: KeyId;
  company_id: CompanyId;
  is_test: boolean;
  is_revoked: boolean;
  domain: string | null;
  channels: Channel[];
  code_length: number;
  code_ttl_seconds: number;
  fallback_seconds: number;
  language: MessageLanguage;
  brand: string | null;
  rate_per_minute: number | null;
};

const KEY_COLUMNS = `id, company_id, is_test, revoked_at is not null as is_revoked, domain,
  channels::text[] as channels, code_length, code_ttl_seconds, fallback_seconds, language, brand,
  rate_per_minute`;

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    companyId: row.company_id,
    isTest: row.is_test,
    isRevoked: row.is_revoked,
    domain: row.domain,
    channels: row.channels,
    codeLength: row.code_length,
    codeTtlSeconds: row.code_ttl_seconds,
    fallbackSeconds: row.fallback_seconds,
    language: row.language,
    brand: row.brand,
    ratePerMinute: row.rate_per_minute,
  };
}

export type KeyBySecret = {
  key: ApiKey;
  /** A secret that was replaced and ends at its time. */
  isPrevious: boolean;
};

/** By the hash of its present secret, or of the previous one while that goes on. */
export async function findKeyByHash(sql: Sql, hash: Buffer): Promise<KeyBySecret | undefined> {
  const rows = await sql.query<KeyRow & { is_previous: boolean }>(
    `select ${KEY_COLUMNS}, false as is_previous from api_key where secret_hash = $1
     union all
     select ${KEY_COLUMNS}, true from api_key
     where previous_hash = $1 and previous_until > clock_timestamp()`,
    [hash],
    'find-key-by-hash',
  );
  return rows[0] && { key: toKey(rows[0]), isPrevious: rows[0].is_previous };
}

/** Moves with every change of any key. */
export async function readKeyVersion(sql: Sql): Promise<number> {
  const rows = await sql.query<{ version: number }>(
    'select version from key_version',
    [],
    'read-key-version',
  );
  return (rows[0] as { version: number }).version;
}

export async function findKeyById(sql: Sql, id: KeyId): Promise<ApiKey | undefined> {
  const rows = await sql.query<KeyRow>(
    `select ${KEY_COLUMNS} from api_key where id = $1`,
    [id],
    'find-key-by-id',
  );
  return rows[0] && toKey(rows[0]);
}

export type NewKey = Omit<ApiKey, 'id' | 'isRevoked'> & {
  name: string;
  createdBy: PersonId | null;
  secretHash: Buffer;
  shownStart: string;
  shownEnd: string;
};

export async function insertKey(sql: Sql, key: NewKey): Promise<KeyId> {
  const rows = await sql.query<{ id: KeyId }>(
    `insert into api_key (company_id, name, is_test, secret_hash, shown_start, shown_end, domain, channels,
       code_length, code_ttl_seconds, fallback_seconds, language, brand, rate_per_minute,
       created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8::text[]::channel[], $9, $10, $11, $12, $13, $14, $15)
     returning id`,
    [
      key.companyId,
      key.name,
      key.isTest,
      key.secretHash,
      key.shownStart,
      key.shownEnd,
      key.domain,
      key.channels,
      key.codeLength,
      key.codeTtlSeconds,
      key.fallbackSeconds,
      key.language,
      key.brand,
      key.ratePerMinute,
      key.createdBy,
    ],
  );
  return (rows[0] as { id: KeyId }).id;
}

type OwnKey = { companyId: CompanyId; keyId: KeyId };

/**
 * Gives a key a new secret; the old one goes on for the given hours. False when the company has no
 * such active key.
 */
export async function replaceSecret(
  sql: Sql,
  change: OwnKey & {
    secretHash: Buffer;
    shownStart: string;
    shownEnd: string;
    overlapHours: number;
  },
): Promise<boolean> {
  const rows = await sql.query(
    `update api_key set secret_hash = $3, shown_start = $4, shown_end = $5,
       previous_hash = case when $6 > 0 then secret_hash end,
       previous_until = case when $6 > 0 then clock_timestamp() + make_interval(hours => $6) end
     where company_id = $1 and id = $2 and revoked_at is null returning id`,
    [
      change.companyId,
      change.keyId,
      change.secretHash,
      change.shownStart,
      change.shownEnd,
      change.overlapHours,
    ],
  );
  return rows.length === 1;
}

/** Ends the previous secret before its time. False when there is none that goes on. */
export async function dropPreviousSecret(sql: Sql, { companyId, keyId }: OwnKey): Promise<boolean> {
  const rows = await sql.query(
    `update api_key set previous_hash = null, previous_until = null
     where company_id = $1 and id = $2 and previous_until > clock_timestamp() returning id`,
    [companyId, keyId],
  );
  return rows.length === 1;
}

/** False when the company has no such key; revoking twice is no error. */
export async function markKeyRevoked(sql: Sql, { companyId, keyId }: OwnKey): Promise<boolean> {
  const rows = await sql.query(
    `update api_key set revoked_at = coalesce(revoked_at, clock_timestamp())
     where company_id = $1 and id = $2 returning id`,
    [companyId, keyId],
  );
  return rows.length === 1;
}

export async function findOwnKey(
  sql: Sql,
  companyId: CompanyId,
  id: number,
): Promise<ApiKey | undefined> {
  const rows = await sql.query<KeyRow>(
    `select ${KEY_COLUMNS} from api_key where company_id = $1 and id = $2`,
    [companyId, id],
  );
  return rows[0] && toKey(rows[0]);
}

/** The key of a company that has carried a channel longest; a live one before one for tests. */
export async function findOldestKey(
  sql: Sql,
  companyId: CompanyId,
  { channel, withTest }: { channel: Channel; withTest: boolean },
): Promise<ApiKey | undefined> {
  const rows = await sql.query<KeyRow>(
    `select ${KEY_COLUMNS} from api_key
     where company_id = $1 and revoked_at is null and $2 = any (channels) and (not is_test or $3)
     order by is_test, id limit 1`,
    [companyId, channel, withTest],
  );
  return rows[0] && toKey(rows[0]);
}

/** The key of a company by its name, for parts that keep one of their own. */
export async function findKeyByName(
  sql: Sql,
  key: { companyId: CompanyId; name: string; isTest: boolean },
): Promise<KeyId | undefined> {
  const rows = await sql.query<{ id: KeyId }>(
    `select id from api_key where company_id = $1 and name = $2 and is_test = $3 and revoked_at is null
     order by id limit 1`,
    [key.companyId, key.name, key.isTest],
  );
  return rows[0]?.id;
}
