import { type Actor, recordDeed } from '../audit/audit-store.ts';
import { changesBetween } from '../audit/changes.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { type CompanyFacts, lockCompany, updateCompany } from './company-store.ts';

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
    await recordDeed(tx, actor, {
      companyId,
      action: 'company.changed',
      object: before.name,
      ...changes,
    });
  });
}
