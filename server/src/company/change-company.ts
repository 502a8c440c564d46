import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { changesBetween } from '../audit-log/changes.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import {
  type CompanySettings,
  findCompany,
  lockCompany,
  type StoredCompany,
  setSecondFactorRequired,
  updateCompany,
} from './company-store.ts';

export async function changeCompany(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  change: { companyId: CompanyId; facts: CompanySettings },
): Promise<void> {
  const { companyId, facts } = change;
  await db.transaction(async (tx) => {
    const before = await lockCompany(tx, companyId);
    const changes = changesBetween(before, facts);
    if (changes === undefined) return;
    await updateCompany(tx, companyId, facts);
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'company.changed',
      object: before.name,
      ...changes,
    });
  });
}

/** From the next request on, nobody without a second factor can use the cabinet of the company. */
export async function requireSecondFactor(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  change: { companyId: CompanyId; isRequired: boolean },
): Promise<void> {
  const { companyId, isRequired } = change;
  await db.transaction(async (tx) => {
    const { name, requiresSecondFactor: before } = await lockCompany(tx, companyId);
    if (before === isRequired) return;
    await setSecondFactorRequired(tx, companyId, isRequired);
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'company.changed',
      object: name,
      before: { requiresSecondFactor: before },
      after: { requiresSecondFactor: isRequired },
    });
  });
}

export async function readCompany(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
): Promise<StoredCompany> {
  const company = await findCompany(db, companyId);
  if (company === undefined) throw new Error(`company ${companyId} does not exist`);
  return company;
}
