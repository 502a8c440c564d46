import type { Actor } from '../audit/audit-store.ts';
import { recordDeed } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId, PersonId } from '../ids.ts';
import type { CompanyFacts } from './company-store.ts';
import { creditWelcome, insertCompanyWithAccount } from './create-company.ts';
import { insertMember } from './team/team-store.ts';
import { claimWelcome, listUnwelcomed, releaseWelcome } from './welcome-store.ts';

type Founding = Pick<Context, 'db' | 'clock'>;

/** A person creates a company and becomes its owner. Its welcome bonus is in the balance. */
export async function foundCompany(
  ctx: Founding,
  actor: Actor & { person: { id: PersonId; name: string } },
  facts: CompanyFacts,
): Promise<{ companyId: CompanyId; balance: number }> {
  return await ctx.db.transaction(async (tx) => {
    const companyId = await insertCompanyWithAccount(tx, facts);
    await insertMember(tx, { companyId, personId: actor.person.id, role: 'owner' });
    const { name: object } = facts;
    await recordDeed(tx, actor, { companyId, action: 'company.created', object, after: facts });
    const balance = await welcomeIfDue(ctx, tx, { companyId, founder: actor.person.id });
    return { companyId, balance };
  });
}

/** After a person has confirmed a phone: the bonus of a company that was founded without one. */
export async function welcomeAfterPhone(ctx: Founding, owner: PersonId): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [oldest] = await listUnwelcomed(tx, owner);
    if (oldest !== undefined) await welcomeIfDue(ctx, tx, { companyId: oldest, founder: owner });
  });
}

async function welcomeIfDue(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  claim: { companyId: CompanyId; founder: PersonId },
): Promise<number> {
  const { claimed, needed, hasPhone } = await claimWelcome(tx, claim);
  if (hasPhone && claimed === needed) return await creditWelcome(ctx, tx, claim.companyId);
  await releaseWelcome(tx, claim.companyId);
  return 0;
}
