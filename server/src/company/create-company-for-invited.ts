import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { newToken } from '../token.ts';
import { creditWelcome, insertCompanyWithAccount, namedCompany } from './create-company.ts';
import { INVITATION_MS } from './team.ts';
import { insertInvitation } from './team-store.ts';

/**
 * Creates a company by the hand of the operator, with an invitation for its owner: nobody is in it
 * until they accept. The token is returned only here.
 */
export async function createCompanyForInvited(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { name, email }: { name: string; email: string },
): Promise<{ companyId: CompanyId; balance: number; token: string; endsAt: Date }> {
  const { token, hash: tokenHash } = newToken();
  const endsAt = new Date(ctx.clock.now().getTime() + INVITATION_MS);
  return await ctx.db.transaction(async (tx) => {
    const facts = namedCompany(name);
    const companyId = await insertCompanyWithAccount(tx, facts);
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'company.created',
      object: name,
      after: facts,
    });
    const role = 'owner';
    await insertInvitation(tx, {
      companyId,
      role,
      tokenHash,
      note: email,
      invitedBy: null,
      endsAt,
    });
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'member.invited',
      object: email,
      after: { role },
    });
    return { companyId, token, endsAt, balance: await creditWelcome(ctx, tx, companyId) };
  });
}
