import type { PricedItem } from '@zhiber/contract/api/prices.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, MessageId } from '../ids.ts';

/** A price that holds from a moment on. */
export type PriceVersion = {
  id: number;
  item: PricedItem;
  /** Null for the price of everybody. */
  company_id: CompanyId | null;
  /** Null: from this moment the company pays the common price again. */
  tokens: number | null;
  valid_from: Date;
};

const NOT_WITHDRAWN = 'not exists (select from price_withdrawal w where w.version_id = v.id)';

/** Increases with every change of prices. */
export async function readPriceRevision(sql: Sql): Promise<number> {
  const rows = await sql.query<{ revision: number }>(
    'select revision from price_revision',
    [],
    'read-price-revision',
  );
  return (rows[0] as { revision: number }).revision;
}

/** The versions that hold at a moment and all later ones: what a node needs from then on. */
export async function loadPriceVersions(sql: Sql, now: Date): Promise<PriceVersion[]> {
  return await sql.query<PriceVersion>(
    `(select distinct on (v.item, v.company_id) v.id, v.item, v.company_id, v.tokens, v.valid_from
      from price_version v where v.valid_from <= $1 and ${NOT_WITHDRAWN}
      order by v.item, v.company_id, v.valid_from desc, v.id desc)
     union all
     select v.id, v.item, v.company_id, v.tokens, v.valid_from
     from price_version v where v.valid_from > $1 and ${NOT_WITHDRAWN}`,
    [now],
    'load-price-versions',
  );
}

/** A version with all that is recorded about it. */
export type PriceRecord = PriceVersion & {
  company_name: string | null;
  set_by: string | null;
  created_at: Date;
  withdrawn_by: string | null;
  withdrawn_at: Date | null;
};

const RECORD = `select v.id, v.item, v.company_id, c.name as company_name, v.tokens, v.valid_from, v.set_by,
    v.created_at, w.withdrawn_by, w.withdrawn_at
  from price_version v left join company c on c.id = v.company_id
  left join price_withdrawal w on w.version_id = v.id`;

/** The whole history, newest first: that of one company, or the common prices and everybody's own. */
export async function listPriceRecords(
  sql: Sql,
  { companyId, rowsMax }: { companyId?: CompanyId | undefined; rowsMax: number },
): Promise<PriceRecord[]> {
  return await sql.query<PriceRecord>(
    `${RECORD} where $1::bigint is null or v.company_id = $1
     order by v.valid_from desc, v.id desc limit $2`,
    [companyId ?? null, rowsMax],
  );
}

export async function findPriceRecord(sql: Sql, id: number): Promise<PriceRecord | undefined> {
  const rows = await sql.query<PriceRecord>(`${RECORD} where v.id = $1`, [id]);
  return rows[0];
}

export async function insertPriceVersion(
  tx: Transaction,
  version: Omit<PriceVersion, 'id'> & { set_by: string | null },
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into price_version (item, company_id, tokens, valid_from, set_by)
     values ($1, $2, $3, $4, $5) returning id`,
    [version.item, version.company_id, version.tokens, version.valid_from, version.set_by],
  );
  return (rows[0] as { id: number }).id;
}

/** False when it has been withdrawn before. */
export async function insertPriceWithdrawal(
  tx: Transaction,
  id: number,
  by: string | null,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into price_withdrawal (version_id, withdrawn_by) values ($1, $2)
     on conflict do nothing returning version_id`,
    [id, by],
  );
  return rows.length === 1;
}

/**
 * Charged sends of an item in a range of ids, without those of the companies that have a price of
 * their own. Read along the primary key of each company.
 */
export async function countSendsAt(
  sql: Sql,
  query: {
    item: PricedItem;
    companyId: CompanyId | undefined;
    except: readonly CompanyId[];
    fromId: MessageId;
    toId: MessageId;
  },
): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select coalesce(sum(m.count), 0)::double precision as count
     from company c cross join lateral (
       select count(*) as count from message m
       where m.company_id = c.id and m.id >= $3 and m.id < $4 and m.state = 'sent' and not m.is_test
         and case when $5 = 'group' then m.kind = 'group' else m.kind <> 'group' and m.channel::text = $5 end) m
     where ($1::bigint is null or c.id = $1) and c.id <> all ($2::bigint[])`,
    [query.companyId ?? null, query.except, query.fromId, query.toId, query.item],
  );
  return (rows[0] as { count: number }).count;
}
