import type { Connection } from '../db/connection.ts';
import { inSnapshot } from '../db/snapshot.ts';
import type { Sql } from '../db/sql.ts';
import { type AuditScope, readOpenScope } from './audit-scope-store.ts';
import { ledgerInvariants } from './ledger-invariant-store.ts';
import { messageInvariants } from './message-invariant-store.ts';
import { RECORD_INVARIANTS } from './record-invariant-store.ts';

/**
 * What must always be true, as questions whose right answer is 0. Each counts the rows that break
 * its rule, at one moment and with the server running; a send under way is accounted for by its
 * hold. Of months that have been audited before, the stored sums are read.
 */
const invariantsOf = (scope: AuditScope) => ({
  ...ledgerInvariants(scope),
  ...messageInvariants(scope),
  ...RECORD_INVARIANTS,
});

// The installation's own company pays for sign-ins; its balance is no customer's. The driver returns a
// bigint as text. Sums of tokens stay far below what a double holds exactly.
const totalsOf = ({ messages }: AuditScope) => `
  select (select count(*) from company)::double precision as companies,
    counted.messages::double precision as messages, counted.charged::double precision as charged,
    (select coalesce(sum(balance), 0) from account where company_id is distinct from own.id)::double precision as balance,
    (select coalesce(sum(held), 0) from account where company_id is distinct from own.id)::double precision as held,
    (select coalesce(sum(debt), 0) from account)::double precision as debt,
    (select coalesce(sum(amount - refunded), 0) from payment)::double precision as paid
  from (select (select value::bigint from installation where name = 'system_company') as id) own,
    (select sum(messages) as messages, sum(charged) as charged from (
      select count(*) as messages, coalesce(sum(charged), 0) as charged from message where ${messages('id')}
      union all select messages, charged from removed_month
      union all select messages, charged from audited_messages where month in
        (select month from audited_month where table_name = 'message' and audited_changes = changes)) parts) counted`;

export type Invariant = keyof ReturnType<typeof invariantsOf>;
export type AuditTotals = {
  companies: number;
  messages: number;
  charged: number;
  balance: number;
  held: number;
  /** Owed by companies after refunds. */
  debt: number;
  /** Payments without what was refunded. */
  paid: number;
};
export type Audit = { violations: Record<Invariant, number>; totals: AuditTotals };

/** Counts the violations of each invariant, all in one snapshot. */
export async function readAudit(connection: Connection): Promise<Audit> {
  return await inSnapshot(connection, async (sql) => {
    // Blocks the removal of old months meanwhile: removed rows vanish from a snapshot as well.
    await sql.query('lock table message, attempt in access share mode');
    return await auditIn(sql);
  });
}

/** The same, inside a transaction that is already open. */
export async function auditIn(sql: Sql): Promise<Audit> {
  const scope = await readOpenScope(sql);
  const violations = await countEach(sql, invariantsOf(scope));
  const [totals] = await sql.query<AuditTotals>(totalsOf(scope));
  return { violations, totals: totals as AuditTotals };
}

/** Counts the violations of each of some invariants. */
export async function countEach<Name extends string>(
  sql: Sql,
  questions: Readonly<Record<Name, string>>,
): Promise<Record<Name, number>> {
  const counts: Partial<Record<Name, number>> = {};
  for (const [name, question] of Object.entries<string>(questions)) {
    const rows = await sql.query<{ count: string }>(question);
    counts[name as Name] = Number(rows[0]?.count);
  }
  return counts as Record<Name, number>;
}
