import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

export type SenderName = {
  name: string;
  registered_at: Date;
  note: string | null;
  /** The companies whose SMS come from it. */
  companies: CompanyId[];
};

export async function listSenderNames(sql: Sql): Promise<SenderName[]> {
  return await sql.query<SenderName>(
    `select s.name, s.registered_at, s.note, coalesce(json_agg(c.id order by c.id)
       filter (where c.id is not null), '[]') as companies
     from sender_name s left join company c on c.sender_name = s.name
     group by s.name order by s.name`,
  );
}

/** False when the name is registered already. */
export async function insertSenderName(
  sql: Sql,
  { name, note }: { name: string; note: string | null },
): Promise<boolean> {
  const rows = await sql.query(
    'insert into sender_name (name, note) values ($1, $2) on conflict do nothing returning name',
    [name, note],
  );
  return rows.length === 1;
}

/** False when there is no such name, or a company uses it. */
export async function deleteSenderName(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql.query(
    `delete from sender_name s where s.name = $1
       and not exists (select from company c where c.sender_name = s.name) returning s.name`,
    [name],
  );
  return rows.length === 1;
}

/** Keeps the name registered until the transaction ends. */
export async function lockSenderName(tx: Transaction, name: string): Promise<boolean> {
  const rows = await tx.query('select from sender_name where name = $1 for key share', [name]);
  return rows.length === 1;
}

/** The name before the change. The company must exist and be locked. */
export async function updateSenderName(
  tx: Transaction,
  companyId: CompanyId,
  name: string | null,
): Promise<string | null> {
  const rows = await tx.query<{ before: string | null }>(
    `update company c set sender_name = $2
     from (select id, sender_name as before from company where id = $1) old
     where c.id = old.id returning old.before`,
    [companyId, name],
  );
  return (rows[0] as { before: string | null }).before;
}
