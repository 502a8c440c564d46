import { OWNED_COMPANIES_MAX } from '@zhiber/contract/cabinet/company.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId, KeyId, PersonId } from '../ids.ts';
import { addKeyIn } from '../keys/manage-keys.ts';
import { Problem } from '../problem.ts';
import type { CompanyFacts } from './company-store.ts';
import { creditWelcome, insertCompanyWithAccount } from './create-company.ts';
import { insertMember, lockOwnedCount } from './team-store.ts';
import { claimWelcome, listUnwelcomed, releaseWelcome } from './welcome-store.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

const FIRST_KEY_NAME = 'Тестовый ключ';

/**
 * Creates a company with this person as its owner, and its first test key, whose text is returned only
 * here. The balance includes the welcome bonus, if due.
 * Throws `too_many_companies` past the limit, also for concurrent calls.
 */
export async function createCompanyForOwner(
  ctx: Ctx,
  actor: Actor & { person: { id: PersonId; name: string } },
  facts: CompanyFacts,
): Promise<{ companyId: CompanyId; balance: number; testKey: { keyId: KeyId; key: string } }> {
  return await ctx.db.transaction(async (tx) => {
    const owned = await lockOwnedCount(tx, actor.person.id);
    if (owned >= OWNED_COMPANIES_MAX) throw new Problem('too_many_companies');
    const companyId = await insertCompanyWithAccount(tx, facts);
    await insertMember(tx, { companyId, personId: actor.person.id, role: 'owner' });
    const { name: object } = facts;
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'company.created',
      object,
      after: facts,
    });
    const testKey = await addKeyIn(tx, actor, {
      companyId,
      name: FIRST_KEY_NAME,
      isTest: true,
      language: facts.language,
      brand: facts.brand ?? undefined,
    });
    const balance = await welcomeIfDue(ctx, tx, { companyId, founder: actor.person.id });
    return { companyId, balance, testKey };
  });
}

/** Credits the welcome bonus of a company that was created before its owner confirmed a phone. */
export async function welcomeAfterPhone(ctx: Ctx, owner: PersonId): Promise<void> {
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
