import { IDEMPOTENCY_HOURS } from '@zhiber/contract/api/limits.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, KeyId, MessageId } from '../ids.ts';

export type IdempotencyRef = { keyId: KeyId; path: string; idempotencyKey: string };

export type Claim = IdempotencyRef & {
  companyId: CompanyId;
  bodyHash: Buffer;
  subject: MessageId;
};

export type IdempotencyRecord = {
  is_claimed: boolean;
  body_hash: Buffer;
  subject: MessageId;
  status: number | null;
  answer: string | null;
  age_seconds: number;
};

/**
 * Claims the keys of many requests. The first insert gets the claim; the others get the record of
 * the first. A record older than a day is replaced.
 */
export const claimKeys: GroupStatement<Claim, IdempotencyRecord> = {
  name: 'claim idempotency keys',
  itemsMax: 512,
  waitingMax: 4_096,
  async run(sql, items) {
    const values = [
      items.map((item) => item.keyId),
      items.map((item) => item.path),
      items.map((item) => item.idempotencyKey),
      items.map((item) => item.bodyHash),
      items.map((item) => item.subject),
      items.map((item) => item.companyId),
    ];
    const claimed = await sql.query<{ subject: string }>(
      `insert into idempotency as r (company_id, key_id, path, idempotency_key, body_hash, subject, created_at)
       select distinct on (i.key_id, i.path, i.idempotency_key)
         i.company_id, i.key_id, i.path, i.idempotency_key, i.body_hash, i.subject, clock_timestamp()
       from unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::uuid[], $6::bigint[])
         with ordinality as i(key_id, path, idempotency_key, body_hash, subject, company_id, n)
       order by i.key_id, i.path, i.idempotency_key, i.n
       on conflict (key_id, path, idempotency_key) do update set body_hash = excluded.body_hash,
         subject = excluded.subject, status = null, answer = null, created_at = excluded.created_at
         where r.created_at < clock_timestamp() - interval '${IDEMPOTENCY_HOURS} hours'
       returning subject`,
      values,
      'claim-keys',
    );
    const claimedIds = new Set(claimed.map((row) => row.subject));
    // Not prepared: a plan made while the table is small would read all of it when it has grown.
    const rows = await sql.query<Omit<IdempotencyRecord, 'is_claimed'>>(
      `select r.body_hash, r.subject, r.status, r.answer,
         extract(epoch from clock_timestamp() - r.created_at)::double precision as age_seconds
       from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality as i(key_id, path, idempotency_key, n)
       left join lateral (select k.* from idempotency k
         where k.key_id = i.key_id and k.path = i.path
           and k.idempotency_key = i.idempotency_key offset 0) r on true
       order by i.n`,
      values.slice(0, 3),
    );
    return rows.map((row, i) => ({ ...row, is_claimed: claimedIds.has(items[i]?.subject ?? '') }));
  },
};

/** Stores the answer of a claimed request, in the form it was sent in. */
export async function keepAnswer(
  sql: Sql,
  ref: IdempotencyRef & { subject: MessageId },
  answer: { status: number; body: string },
): Promise<void> {
  await sql.query(
    `update idempotency set status = $5, answer = $6
     where key_id = $1 and path = $2 and idempotency_key = $3 and subject = $4 and answer is null`,
    [ref.keyId, ref.path, ref.idempotencyKey, ref.subject, answer.status, answer.body],
    'keep-answer',
  );
}

/** Releases a key: its request changed nothing, so the next one with it is a first one. */
export async function dropClaim(
  sql: Sql,
  ref: IdempotencyRef & { subject: MessageId },
): Promise<void> {
  await sql.query(
    `delete from idempotency where key_id = $1 and path = $2 and idempotency_key = $3 and subject = $4`,
    [ref.keyId, ref.path, ref.idempotencyKey, ref.subject],
    'drop-claim',
  );
}

/** Takes over the claim of a request that died and changed nothing. True for exactly one caller. */
export async function takeOverClaim(
  sql: Sql,
  ref: IdempotencyRef,
  subjects: { from: MessageId; to: MessageId },
): Promise<boolean> {
  const rows = await sql.query(
    `update idempotency set subject = $5, created_at = clock_timestamp()
     where key_id = $1 and path = $2 and idempotency_key = $3 and subject = $4 and answer is null
     returning subject`,
    [ref.keyId, ref.path, ref.idempotencyKey, subjects.from, subjects.to],
  );
  return rows.length === 1;
}

/** Whether the request that made a message may still be repeated, and has no answer yet. */
export async function hasOpenClaim(sql: Sql, subject: MessageId): Promise<boolean> {
  const rows = await sql.query(
    `select from idempotency where subject = $1 and answer is null
       and created_at > now() - interval '${IDEMPOTENCY_HOURS} hours'`,
    [subject],
    'has-open-claim',
  );
  return rows.length > 0;
}
