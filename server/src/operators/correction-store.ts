import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';

export type CorrectionState = 'applied' | 'waiting' | 'declined' | 'expired';

export type StoredCorrection = {
  id: string;
  companyId: CompanyId;
  company: string;
  amount: number;
  reason: string;
  state: CorrectionState;
  askedById: PersonId;
  askedBy: string;
  askedAt: Date;
  expiresAt: Date | null;
  decidedBy: string | null;
  decidedAt: Date | null;
};

const IS_WAITING = `r.expires_at > clock_timestamp() and r.decided_at is null`;

const CORRECTION = `select r.id, r.company_id as "companyId", c.name as company, r.amount, r.reason,
    case when r.cause is not null then 'applied' when r.decided_at is not null then 'declined'
      when ${IS_WAITING} then 'waiting' else 'expired' end as state,
    r.asked_by as "askedById", a.name as "askedBy", r.asked_at as "askedAt", r.expires_at as "expiresAt",
    d.name as "decidedBy", r.decided_at as "decidedAt"
  from correction_request r join company c on c.id = r.company_id join person a on a.id = r.asked_by
  left join person d on d.id = r.decided_by`;

export async function findCorrection(sql: Sql, id: string): Promise<StoredCorrection | undefined> {
  const rows = await sql.query<StoredCorrection>(`${CORRECTION} where r.id = $1`, [id]);
  return rows[0];
}

/** The correction that a page has asked for before. */
export async function findAsked(
  sql: Sql,
  requestId: string,
): Promise<StoredCorrection | undefined> {
  const rows = await sql.query<StoredCorrection>(`${CORRECTION} where r.request_id = $1`, [
    requestId,
  ]);
  return rows[0];
}

/** The newest of a company. */
export async function findCorrections(
  sql: Sql,
  companyId: CompanyId,
  rowsMax: number,
): Promise<StoredCorrection[]> {
  return await sql.query<StoredCorrection>(
    `${CORRECTION} where r.company_id = $1 order by r.asked_at desc limit $2`,
    [companyId, rowsMax],
  );
}

/** Those that wait for a second operator, the oldest first. */
export async function findWaitingCorrections(
  sql: Sql,
  rowsMax: number,
): Promise<StoredCorrection[]> {
  return await sql.query<StoredCorrection>(
    `${CORRECTION} where ${IS_WAITING} order by r.asked_at limit $1`,
    [rowsMax],
  );
}

/**
 * What an operator has corrected in a day without a second one, up or down. Locks the operator until
 * the transaction ends: of two corrections at once, the second counts the first.
 */
export async function lockAmountAlone(tx: Transaction, personId: PersonId): Promise<number> {
  await tx.query('select from operator where person_id = $1 for no key update', [personId]);
  const rows = await tx.query<{ amount: number }>(
    `select coalesce(sum(abs(amount)), 0)::double precision as amount from correction_request
     where asked_by = $1 and asked_at > clock_timestamp() - interval '24 hours' and expires_at is null`,
    [personId],
  );
  return (rows[0] as { amount: number }).amount;
}

/** With a cause it is applied in this transaction; otherwise it waits for so many days. */
export async function insertCorrection(
  tx: Transaction,
  correction: {
    id: string;
    requestId: string;
    companyId: CompanyId;
    amount: number;
    reason: string;
    askedBy: PersonId;
  } & ({ cause: string; waitsDays: null } | { cause: null; waitsDays: number }),
): Promise<void> {
  await tx.query(
    `insert into correction_request (id, request_id, company_id, amount, reason, asked_by, cause, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(days => $8::integer))`,
    [
      correction.id,
      correction.requestId,
      correction.companyId,
      correction.amount,
      correction.reason,
      correction.askedBy,
      correction.cause,
      correction.waitsDays,
    ],
  );
}

/**
 * True for exactly one decision, while it waits, and never for the operator who asked. With a cause
 * it is approved, and applied in this transaction.
 */
export async function decideCorrection(
  tx: Transaction,
  { id, by, cause }: { id: string; by: PersonId; cause: string | null },
): Promise<boolean> {
  const rows = await tx.query(
    `update correction_request r set decided_by = $2, decided_at = clock_timestamp(), cause = $3
     where r.id = $1 and ${IS_WAITING} and r.asked_by <> $2 returning 1`,
    [id, by, cause],
  );
  return rows.length === 1;
}
