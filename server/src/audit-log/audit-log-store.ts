import type { AuditAction } from '@zhiber/contract/cabinet/company.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';

/** Who makes a change, and from where. */
export type Actor = {
  /** Absent for the operator's command line. */
  person?: { id: PersonId; name: string } | undefined;
  origin?: { requestId: string; address: string; device: string } | undefined;
};

export type AuditEvent = {
  companyId: CompanyId;
  action: AuditAction;
  /** What was changed, in words. */
  object: string;
  before?: object | undefined;
  after?: object | undefined;
};

/**
 * Written in the transaction of the change itself, so that there is no change without its record.
 */
export async function recordAuditEvent(
  tx: Transaction,
  actor: Actor,
  event: AuditEvent,
): Promise<void> {
  const { person, origin } = actor;
  await tx.query(
    `insert into audit_record (company_id, at, person_id, person_name, action, object, before, after, address, device,
       request_id)
     values ($1, clock_timestamp(), $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      event.companyId,
      person?.id ?? null,
      person?.name ?? null,
      event.action,
      event.object,
      event.before === undefined ? null : JSON.stringify(event.before),
      event.after === undefined ? null : JSON.stringify(event.after),
      origin?.address ?? null,
      origin?.device ?? null,
      origin?.requestId ?? null,
    ],
  );
}

export type StoredAuditEvent = {
  id: number;
  at: Date;
  person: string | null;
  action: AuditAction;
  object: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  address: string | null;
  request_id: string | null;
};

/** Newest first. */
export async function findAuditEvents(
  sql: Sql,
  filter: {
    companyId: CompanyId;
    action?: string | undefined;
    personId?: string | undefined;
    from?: Date | undefined;
    to?: Date | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<StoredAuditEvent[]> {
  return await sql.query<StoredAuditEvent>(
    `select id, at, person_name as person, action, object, before, after, address, request_id
     from audit_record
     where company_id = $1 and ($2::text is null or action = $2) and ($3::text is null or person_id = $3)
       and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)
       and ($6::bigint is null or id < $6)
     order by id desc limit $7`,
    [
      filter.companyId,
      filter.action ?? null,
      filter.personId ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.before ?? null,
      filter.limit,
    ],
  );
}
