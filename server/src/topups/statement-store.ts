import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

export type StoredLine = {
  id: string;
  hash: Buffer;
  bank_reference: string | null;
  paid_at: Date;
  amount: number;
  purpose: string;
  payer_name: string | null;
  payer_business_id: string | null;
  order_id: string | null;
  company_id: CompanyId | null;
  payment_id: string | null;
  imported_by: string;
  matched_by: string | null;
  imported_at: Date;
};

const COLUMNS = `id, hash, bank_reference, paid_at, amount, purpose, payer_name, payer_business_id, order_id,
  company_id, payment_id, imported_by, matched_by, imported_at`;

/** Adds the line, unless it is there already. */
export async function insertLine(
  sql: Sql,
  line: Omit<StoredLine, 'order_id' | 'company_id' | 'payment_id' | 'matched_by' | 'imported_at'>,
): Promise<void> {
  await sql.query(
    `insert into bank_statement_line (id, hash, bank_reference, paid_at, amount, purpose, payer_name,
       payer_business_id, imported_by, imported_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp())
     on conflict (hash) do nothing`,
    [
      line.id,
      line.hash,
      line.bank_reference,
      line.paid_at,
      line.amount,
      line.purpose,
      line.payer_name,
      line.payer_business_id,
      line.imported_by,
    ],
  );
}

export async function findLines(sql: Sql, hashes: readonly Buffer[]): Promise<StoredLine[]> {
  return await sql.query<StoredLine>(
    `select ${COLUMNS} from bank_statement_line where hash = any ($1)`,
    [hashes],
  );
}

export async function findLine(sql: Sql, id: string): Promise<StoredLine | undefined> {
  const rows = await sql.query<StoredLine>(
    `select ${COLUMNS} from bank_statement_line where id = $1`,
    [id],
  );
  return rows[0];
}

/** Lines that wait for the operator, the newest first. */
export async function findUnmatchedLines(sql: Sql, max: number): Promise<StoredLine[]> {
  return await sql.query<StoredLine>(
    `select ${COLUMNS} from bank_statement_line l where ${IS_WAITING} order by id desc limit $1`,
    [max],
  );
}

const IS_WAITING =
  'l.payment_id is null and not exists (select from payment_review r where r.id = l.id)';

export async function countUnmatchedLines(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from bank_statement_line l where ${IS_WAITING}`,
  );
  return (rows[0] as { count: number }).count;
}

/** The order or the company that a line belongs to. */
export type LineOwner = Pick<StoredLine, 'order_id' | 'company_id'>;

/** Gives the line to an order or a company. Returns whose it is: theirs, or of one that was first. */
export async function claimLine(
  sql: Sql,
  id: string,
  claim: { matchedBy: string | null } & ({ orderId: string } | { companyId: CompanyId }),
): Promise<LineOwner> {
  const rows = await sql.query<LineOwner>(
    `update bank_statement_line set
       order_id = case when company_id is null then coalesce(order_id, $2) end,
       company_id = case when order_id is null then coalesce(company_id, $3) end,
       matched_by = case when coalesce(order_id::text, company_id::text) is null then $4 else matched_by end
     where id = $1 returning order_id, company_id`,
    [
      id,
      'orderId' in claim ? claim.orderId : null,
      'companyId' in claim ? claim.companyId : null,
      claim.matchedBy,
    ],
  );
  return rows[0] as LineOwner;
}

export async function setLinePayment(sql: Sql, id: string, paymentId: string): Promise<void> {
  await sql.query('update bank_statement_line set payment_id = $2 where id = $1', [id, paymentId]);
}
