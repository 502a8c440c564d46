import type { OperatorAction } from '@zhiber/contract/admin/audit.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import type { Actor } from './audit-log-store.ts';

export type OperatorAct = {
  action: OperatorAction;
  /** What was changed, in words. */
  object: string;
  /** The company that it was about, where there is one. */
  companyId?: CompanyId | undefined;
  before?: object | undefined;
  after?: object | undefined;
};

/**
 * Records what an operator has done, in the transaction of the change itself. Best as its last
 * statement: until it ends, nobody else can add a record.
 */
export async function recordOperatorAct(
  tx: Transaction,
  { person, origin }: Actor,
  { action, object, companyId, before, after }: OperatorAct,
): Promise<void> {
  await tx.query(
    `insert into operator_audit (at, person_id, person_name, action, object, company_id, before, after, address, device,
       request_id)
     values (clock_timestamp(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      person?.id ?? null,
      person?.name ?? null,
      action,
      object,
      companyId ?? null,
      before === undefined ? null : JSON.stringify(before),
      after === undefined ? null : JSON.stringify(after),
      origin?.address ?? null,
      origin?.device ?? null,
      origin?.requestId ?? null,
    ],
  );
}

export type StoredOperatorAct = {
  id: number;
  at: Date;
  person: string | null;
  action: OperatorAction;
  object: string;
  company: { id: CompanyId; name: string } | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  address: string | null;
  request_id: string | null;
};

/** Newest first. */
export async function findOperatorActs(
  sql: Sql,
  filter: {
    action?: string | undefined;
    personId?: string | undefined;
    companyId?: number | undefined;
    from?: Date | undefined;
    to?: Date | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<StoredOperatorAct[]> {
  return await sql.query<StoredOperatorAct>(
    `select a.id, a.at, a.person_name as person, a.action, a.object,
       case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end as company,
       a.before, a.after, a.address, a.request_id
     from operator_audit a left join company c on c.id = a.company_id
     where ($1::text is null or a.action = $1) and ($2::text is null or a.person_id = $2)
       and ($3::bigint is null or a.company_id = $3)
       and ($4::timestamptz is null or a.at >= $4) and ($5::timestamptz is null or a.at < $5)
       and ($6::bigint is null or a.id < $6)
     order by a.id desc limit $7`,
    [
      filter.action ?? null,
      filter.personId ?? null,
      filter.companyId ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.before ?? null,
      filter.limit,
    ],
  );
}
