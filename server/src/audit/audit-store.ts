import type { AuditAction } from '@zhiber/contract/cabinet/company.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId, PersonId } from '../ids.ts';

/** Who does something, and from where. */
export type Actor = {
  /** Absent for the operator's command line. */
  person?: { id: PersonId; name: string } | undefined;
  origin?: { requestId: string; address: string; device: string } | undefined;
};

export type Deed = {
  companyId: CompanyId;
  action: AuditAction;
  /** What it was done to, in words. */
  object: string;
  before?: object | undefined;
  after?: object | undefined;
};

/** Written in the transaction of the change itself: there is no change without its record. */
export async function recordDeed(tx: Transaction, actor: Actor, deed: Deed): Promise<void> {
  const { person, origin } = actor;
  await tx.query(
    `insert into audit_record (company_id, at, person_id, person_name, action, object, before, after, address, device,
       request_id)
     values ($1, clock_timestamp(), $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      deed.companyId,
      person?.id ?? null,
      person?.name ?? null,
      deed.action,
      deed.object,
      deed.before === undefined ? null : JSON.stringify(deed.before),
      deed.after === undefined ? null : JSON.stringify(deed.after),
      origin?.address ?? null,
      origin?.device ?? null,
      origin?.requestId ?? null,
    ],
  );
}
