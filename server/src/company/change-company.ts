import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { changesBetween } from '../audit-log/changes.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import {
  type CompanyFacts,
  findCompany,
  lockCompany,
  type StoredCompany,
  updateCompany,
} from './company-store.ts';

export async function changeCompany(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  change: { companyId: CompanyId; facts: CompanyFacts },
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

export async function readCompany(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
): Promise<StoredCompany> {
  const company = await findCompany(db, companyId);
  if (company === undefined) throw new Error(`company ${companyId} does not exist`);
  return company;
}
