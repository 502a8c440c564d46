import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId } from '../ids.ts';
import type { MessageLanguage } from '../keys/api-key.ts';

export type CompanyFacts = {
  name: string;
  /** БИН or ИИН. */
  businessId: string | null;
  /** Language of the texts to people, for keys that are made later. */
  language: MessageLanguage;
  brand: string | null;
};

export async function insertCompany(
  sql: Sql,
  { name, businessId, language, brand }: CompanyFacts,
): Promise<CompanyId> {
  const rows = await sql.query<{ id: CompanyId }>(
    'insert into company (name, business_id, language, brand) values ($1, $2, $3, $4) returning id',
    [name, businessId, language, brand],
  );
  return (rows[0] as { id: CompanyId }).id;
}

export type StoredCompany = CompanyFacts & { id: CompanyId; createdAt: Date };

const COMPANY_COLUMNS =
  'id, name, business_id as "businessId", language, brand, created_at as "createdAt"';

export async function findCompany(sql: Sql, id: CompanyId): Promise<StoredCompany | undefined> {
  const rows = await sql.query<StoredCompany>(
    `select ${COMPANY_COLUMNS} from company where id = $1`,
    [id],
  );
  return rows[0];
}

/** As it is now, and as it stays until the transaction ends. */
export async function lockCompany(tx: Transaction, id: CompanyId): Promise<StoredCompany> {
  const rows = await tx.query<StoredCompany>(
    `select ${COMPANY_COLUMNS} from company where id = $1 for no key update`,
    [id],
  );
  return rows[0] as StoredCompany;
}

export async function updateCompany(
  tx: Transaction,
  id: CompanyId,
  { name, businessId, language, brand }: CompanyFacts,
): Promise<void> {
  await tx.query(
    'update company set name = $2, business_id = $3, language = $4, brand = $5 where id = $1',
    [id, name, businessId, language, brand],
  );
}

/** A fact about this installation. */
export async function readFact(sql: Sql, name: string): Promise<string | undefined> {
  const rows = await sql.query<{ value: string }>(
    'select value from installation where name = $1',
    [name],
  );
  return rows[0]?.value;
}

/** Keeps a fact; the first one stays. Returns what is kept. */
export async function rememberFact(sql: Sql, name: string, value: string): Promise<string> {
  await sql.query(
    'insert into installation (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, value],
  );
  return (await readFact(sql, name)) as string;
}
