import type { MessageLanguage } from '@zhiber/contract/message/message-text.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

export type CompanyFacts = {
  name: string;
  /** БИН or ИИН. */
  businessId: string | null;
  /** Language of messages, for keys that are created later. */
  language: MessageLanguage;
  brand: string | null;
};

/** What a company changes about itself. */
export type CompanySettings = CompanyFacts & {
  /** Broadcasts to more recipients than this are approved by a second person; null: none is. */
  approvalAbove: number | null;
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

export type StoredCompany = CompanySettings & {
  id: CompanyId;
  requiresSecondFactor: boolean;
  createdAt: Date;
};

const COMPANY_COLUMNS = `id, name, business_id as "businessId", language, brand,
  approval_above as "approvalAbove", requires_second_factor as "requiresSecondFactor", created_at as "createdAt"`;

export async function findCompany(sql: Sql, id: CompanyId): Promise<StoredCompany | undefined> {
  const rows = await sql.query<StoredCompany>(
    `select ${COMPANY_COLUMNS} from company where id = $1`,
    [id],
  );
  return rows[0];
}

/** Locks the company until the transaction ends. */
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
  { name, businessId, language, brand, approvalAbove }: CompanySettings,
): Promise<void> {
  await tx.query(
    `update company set name = $2, business_id = $3, language = $4, brand = $5, approval_above = $6
     where id = $1`,
    [id, name, businessId, language, brand, approvalAbove],
  );
}

export async function setSecondFactorRequired(
  tx: Transaction,
  id: CompanyId,
  isRequired: boolean,
): Promise<void> {
  await tx.query('update company set requires_second_factor = $2 where id = $1', [id, isRequired]);
}

/** Suspends a company with a reason, or resumes it without one. False when nothing changes. */
export async function setSuspended(
  tx: Transaction,
  id: CompanyId,
  reason: string | undefined,
): Promise<boolean> {
  const rows = await tx.query(
    `update company set suspended_because = $2::text,
       suspended_at = case when $2::text is not null then clock_timestamp() end
     where id = $1 and (suspended_at is null) = ($2::text is not null) returning 1`,
    [id, reason ?? null],
  );
  return rows.length === 1;
}
