import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { MessageLanguage } from '@zhiber/contract/message/message-text.ts';
import type { Transaction } from '../db/database.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, KeyId, PersonId } from '../ids.ts';
import type { ApiKey } from './api-key.ts';

type KeyRow = {
  id: KeyId;
  company_id: CompanyId;
  is_test: boolean;
  is_revoked: boolean;
  expires_at: Date | null;
  is_expired: boolean;
  domain: string | null;
  channels: Channel[];
  code_length: number;
  code_ttl_seconds: number;
  fallback_seconds: number;
  language: MessageLanguage;
  brand: string | null;
  rate_per_minute: number | null;
  is_system: boolean;
  is_suspended: boolean;
  sender_name: string | null;
};

const KEY_COLUMNS = `id, company_id, is_test, revoked_at is not null as is_revoked, expires_at,
  coalesce(expires_at <= clock_timestamp(), false) as is_expired, domain,
  channels::text[] as channels, code_length, code_ttl_seconds, fallback_seconds, language, brand,
  rate_per_minute, exists (select from installation i
    where i.name = 'system_company' and i.value = company_id::text) as is_system,
  exists (select from company c where c.id = company_id and c.suspended_at is not null) as is_suspended,
  (select c.sender_name from company c where c.id = company_id) as sender_name`;

/**
 * The key by which a company's broadcasts are sent has no secret that anybody knows. The company
 * neither sees nor changes it.
 */
const IS_OWN = 'not is_for_broadcasts';

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    companyId: row.company_id,
    isTest: row.is_test,
    isRevoked: row.is_revoked,
    expiresAt: row.expires_at,
    isExpired: row.is_expired,
    domain: row.domain,
    channels: row.channels,
    codeLength: row.code_length,
    codeTtlSeconds: row.code_ttl_seconds,
    fallbackSeconds: row.fallback_seconds,
    language: row.language,
    brand: row.brand,
    ratePerMinute: row.rate_per_minute,
    isSystem: row.is_system,
    isSuspended: row.is_suspended,
    senderName: row.sender_name,
  };
}

export type KeyBySecret = {
  key: ApiKey;
  /** True for a replaced secret. */
  isPrevious: boolean;
  /** The replaced secret is not valid any more; known only so that its calls can be logged. */
  isEnded: boolean;
};

/** Finds a key by the hash of its current secret, or of the previous one, valid or not. */
export async function findKeyByHash(sql: Sql, hash: Buffer): Promise<KeyBySecret | undefined> {
  const rows = await sql.query<KeyRow & { is_previous: boolean; is_ended: boolean }>(
    `select ${KEY_COLUMNS}, false as is_previous, false as is_ended from api_key
     where secret_hash = $1 and ${IS_OWN}
     union all
     select ${KEY_COLUMNS}, true, previous_until <= clock_timestamp() from api_key
     where previous_hash = $1 and ${IS_OWN}`,
    [hash],
    'find-key-by-hash',
  );
  const [row] = rows;
  return row && { key: toKey(row), isPrevious: row.is_previous, isEnded: row.is_ended };
}

/** Increases with every change of any key. */
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

export type NewKey = Omit<ApiKey, 'id' | CompanyWide | 'isRevoked' | 'isExpired'> & {
  name: string;
  monthlyCap: number | null;
  dailyCap: number | null;
  createdBy: PersonId | null;
  secretHash: Buffer;
  shownStart: string;
  shownEnd: string;
};

export async function insertKey(sql: Sql, key: NewKey): Promise<KeyId> {
  const rows = await sql.query<{ id: KeyId }>(
    `insert into api_key (company_id, name, is_test, secret_hash, shown_start, shown_end, domain, channels,
       code_length, code_ttl_seconds, fallback_seconds, language, brand, rate_per_minute,
       monthly_cap, created_by, daily_cap, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8::text[]::channel[], $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
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
      key.monthlyCap,
      key.createdBy,
      key.dailyCap,
      key.expiresAt,
    ],
  );
  return (rows[0] as { id: KeyId }).id;
}

/** What the company of a key decides, not the key. */
type CompanyWide = 'isSuspended' | 'isSystem' | 'senderName';

type OwnKeyRef = { companyId: CompanyId; keyId: KeyId };

/**
 * Gives a key a new secret; the old one stays valid for the given hours. False when the company has
 * no such active key.
 */
export async function replaceSecret(
  sql: Sql,
  change: OwnKeyRef & {
    secretHash: Buffer;
    shownStart: string;
    shownEnd: string;
    overlapHours: number;
  },
): Promise<boolean> {
  const rows = await sql.query(
    `update api_key set secret_hash = $3, shown_start = $4, shown_end = $5,
       previous_hash = secret_hash,
       previous_until = clock_timestamp() + make_interval(hours => $6)
     where company_id = $1 and id = $2 and revoked_at is null and ${IS_OWN} returning id`,
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

/** Ends the previous secret early. False when none is valid. */
export async function dropPreviousSecret(
  sql: Sql,
  { companyId, keyId }: OwnKeyRef,
): Promise<boolean> {
  const rows = await sql.query(
    `update api_key set previous_until = clock_timestamp()
     where company_id = $1 and id = $2 and previous_until > clock_timestamp() and ${IS_OWN} returning id`,
    [companyId, keyId],
  );
  return rows.length === 1;
}

/** False when the company has no such key. Idempotent. */
export async function markKeyRevoked(sql: Sql, { companyId, keyId }: OwnKeyRef): Promise<boolean> {
  const rows = await sql.query(
    `update api_key set revoked_at = coalesce(revoked_at, clock_timestamp())
     where company_id = $1 and id = $2 and ${IS_OWN} returning id`,
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
    `select ${KEY_COLUMNS} from api_key where company_id = $1 and id = $2 and ${IS_OWN}`,
    [companyId, id],
  );
  return rows[0] && toKey(rows[0]);
}

/** The oldest active key of a company with this channel, of the first mode that has one. */
export async function findOldestKey(
  sql: Sql,
  companyId: CompanyId,
  { channel, modes }: { channel: Channel; modes: readonly ('live' | 'test')[] },
): Promise<ApiKey | undefined> {
  const mode = `case when is_test then 'test' else 'live' end`;
  const rows = await sql.query<KeyRow>(
    `select ${KEY_COLUMNS} from api_key
     where company_id = $1 and revoked_at is null and ${IS_OWN} and $2 = any (channels)
       and (expires_at is null or expires_at > clock_timestamp())
       and ${mode} = any ($3::text[])
     order by array_position($3::text[], ${mode}), id limit 1`,
    [companyId, channel, modes],
  );
  return rows[0] && toKey(rows[0]);
}

/** The key of a company by its name, for parts of the service that have their own key. */
export async function findKeyByName(
  sql: Sql,
  key: { companyId: CompanyId; name: string; isTest: boolean },
): Promise<KeyId | undefined> {
  const rows = await sql.query<{ id: KeyId }>(
    `select id from api_key where company_id = $1 and name = $2 and is_test = $3 and revoked_at is null
       and ${IS_OWN} order by id limit 1`,
    [key.companyId, key.name, key.isTest],
  );
  return rows[0]?.id;
}

/** Undefined when it does not exist yet, or no longer speaks as the company does. */
export async function findBroadcastKey(sql: Sql, companyId: CompanyId): Promise<KeyId | undefined> {
  const rows = await sql.query<{ id: KeyId }>(
    `select k.id from api_key k join company c on c.id = k.company_id
     where k.company_id = $1 and k.is_for_broadcasts and k.language = c.language
       and k.brand is not distinct from c.brand`,
    [companyId],
    'find-broadcast-key',
  );
  return rows[0]?.id;
}

/** Two nodes at once create one key. */
export async function putBroadcastKey(
  sql: Sql,
  key: Omit<
    NewKey,
    'language' | 'brand' | 'createdBy' | 'shownStart' | 'shownEnd' | 'dailyCap' | 'expiresAt'
  >,
): Promise<KeyId> {
  const rows = await sql.query<{ id: KeyId }>(
    `insert into api_key (company_id, name, is_test, secret_hash, shown_start, shown_end, domain, channels,
       code_length, code_ttl_seconds, fallback_seconds, language, brand, rate_per_minute,
       monthly_cap, is_for_broadcasts)
     select c.id, $2, $3, $4, '', '', $5, $6::text[]::channel[], $7, $8, $9, c.language, c.brand, $10, $11, true
     from company c where c.id = $1
     on conflict (company_id) where is_for_broadcasts
       do update set language = excluded.language, brand = excluded.brand
     returning id`,
    [
      key.companyId,
      key.name,
      key.isTest,
      key.secretHash,
      key.domain,
      key.channels,
      key.codeLength,
      key.codeTtlSeconds,
      key.fallbackSeconds,
      key.ratePerMinute,
      key.monthlyCap,
    ],
  );
  return (rows[0] as { id: KeyId }).id;
}

/** What a company may set on its key. */
export type OwnKeySettings = Omit<
  ApiKey,
  'id' | 'companyId' | 'isTest' | 'isRevoked' | 'isExpired' | CompanyWide
> & {
  name: string;
  /** Tenge per month of Almaty; null when the key has no cap. */
  monthlyCap: number | null;
  /** Tenge per day of Almaty. */
  dailyCap: number | null;
};

/** A key as its company sees it. Of its text, only the parts that may be shown. */
export type OwnKey = OwnKeySettings & {
  id: KeyId;
  isTest: boolean;
  isExpired: boolean;
  shownStart: string;
  shownEnd: string;
  /** Set while the previous secret is valid. */
  previousUntil: Date | null;
  createdAt: Date;
  createdBy: string | null;
  revokedAt: Date | null;
  usedAt: Date | null;
  /** With the holds of sends under way; null for a key without a cap. */
  spentThisMonth: number | null;
  /** The same for the day; null for a key without a daily cap. */
  spentToday: number | null;
  /** The last use of the previous secret since it was replaced. */
  previousUsedAt: Date | null;
};

const OWN_KEY_COLUMNS = `k.id, k.name, k.is_test as "isTest", k.domain, k.channels::text[] as channels,
  k.code_length as "codeLength", k.code_ttl_seconds as "codeTtlSeconds",
  k.fallback_seconds as "fallbackSeconds", k.language, k.brand, k.rate_per_minute as "ratePerMinute",
  k.monthly_cap as "monthlyCap", k.daily_cap as "dailyCap", k.expires_at as "expiresAt",
  coalesce(k.expires_at <= clock_timestamp(), false) as "isExpired", k.shown_start as "shownStart", k.shown_end as "shownEnd",
  case when k.previous_until > clock_timestamp() then k.previous_until end as "previousUntil",
  k.created_at as "createdAt", k.revoked_at as "revokedAt"`;

/** Active keys first, then the newest. */
export async function listOwnKeys(sql: Sql, companyId: CompanyId): Promise<OwnKey[]> {
  return await sql.query<OwnKey>(
    `select ${OWN_KEY_COLUMNS}, p.name as "createdBy", u.used_at as "usedAt",
       u.previous_used_at as "previousUsedAt",
       case when k.monthly_cap is not null then coalesce(s.spent, 0) end as "spentThisMonth",
       case when k.daily_cap is not null then coalesce(d.spent, 0) end as "spentToday"
     from api_key k left join person p on p.id = k.created_by left join key_use u on u.key_id = k.id
     left join key_spend s on s.company_id = k.company_id and s.key_id = k.id
       and s.month = almaty_month(clock_timestamp())
     left join key_day_spend d on d.company_id = k.company_id and d.key_id = k.id
       and d.day = almaty_day(clock_timestamp())
     where k.company_id = $1 and ${IS_OWN} order by k.revoked_at is not null, k.id desc`,
    [companyId],
  );
}

export type LockedKey = Omit<
  OwnKey,
  'createdBy' | 'usedAt' | 'previousUsedAt' | 'spentThisMonth' | 'spentToday'
>;

/** Locks a key until the transaction ends. Undefined when the company has no such key. */
export async function lockOwnKey(
  tx: Transaction,
  { companyId, keyId }: OwnKeyRef,
): Promise<LockedKey | undefined> {
  const rows = await tx.query<LockedKey>(
    `select ${OWN_KEY_COLUMNS} from api_key k where k.company_id = $1 and k.id = $2 and ${IS_OWN} for update`,
    [companyId, keyId],
  );
  return rows[0];
}

export async function updateOwnKey(
  tx: Transaction,
  { companyId, keyId }: OwnKeyRef,
  settings: OwnKeySettings,
): Promise<void> {
  await tx.query(
    `update api_key set name = $3, domain = $4, channels = $5::text[]::channel[], code_length = $6,
       code_ttl_seconds = $7, fallback_seconds = $8, language = $9, brand = $10, rate_per_minute = $11,
       monthly_cap = $12, daily_cap = $13, expires_at = $14
     where company_id = $1 and id = $2 and ${IS_OWN}`,
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
      settings.monthlyCap,
      settings.dailyCap,
      settings.expiresAt,
    ],
  );
}

/**
 * Locks the keys of a company against other changes until the transaction ends. Take this lock
 * before any change. The audit log takes it too, and by then a changed key holds the version row of
 * all keys: the opposite order would deadlock.
 */
export async function lockCompanyKeys(tx: Transaction, companyId: CompanyId): Promise<void> {
  await tx.query('select from company where id = $1 for no key update', [companyId]);
}

export async function countActiveKeys(tx: Transaction, companyId: CompanyId): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select count(*)::integer as count from api_key where company_id = $1 and revoked_at is null and ${IS_OWN}`,
    [companyId],
  );
  return (rows[0] as { count: number }).count;
}

type Use = { id: KeyId; isPrevious: boolean };

/** Records when keys and their previous secrets were last used. Nobody waits for it. */
export const recordUses: GroupStatement<Use, void> = {
  name: 'record key uses',
  itemsMax: 2_048,
  waitingMax: 20_000,
  gatherMs: 1_000,
  async run(sql, items) {
    await sql.query(
      `insert into key_use as u (company_id, key_id, used_at, previous_used_at)
       select k.company_id, k.id, clock_timestamp(), case when bool_or(noted.is_previous) then clock_timestamp() end
       from unnest($1::bigint[], $2::boolean[]) as noted (id, is_previous)
       join api_key k on k.id = noted.id
       group by k.id order by k.id
       on conflict (key_id) do update set company_id = excluded.company_id, used_at = excluded.used_at,
         previous_used_at = coalesce(excluded.previous_used_at, u.previous_used_at)`,
      [items.map(({ id }) => id), items.map(({ isPrevious }) => isPrevious)],
      'record-key-uses',
    );
    return items.map(() => undefined);
  },
};

/** After a rotation: the previous secret has not been used since. */
export async function forgetPreviousUse(sql: Sql, id: KeyId): Promise<void> {
  await sql.query('update key_use set previous_used_at = null where key_id = $1', [id]);
}
