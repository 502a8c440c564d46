import { recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { PersonId } from '../ids.ts';
import { openSystemCompany } from '../installation/system-company.ts';
import { listCompanies, setBlocked } from './person-store.ts';
import { insertSecurityEvent } from './security-event-store.ts';
import { endAllSessions } from './session-store.ts';

/** The operator's command line: the audit log records no person for it. */
const OPERATOR = {};

type Blocking = {
  person: { personId: PersonId; name: string };
  reason: string | undefined;
  /** Written last in the same transaction, when something changes. */
  write?: ((tx: Transaction) => Promise<void>) | undefined;
};

/**
 * Blocks a person: every session ends, and nobody can sign in as them. Without a reason they are
 * unblocked. Recorded in the audit logs of their companies and of the installation's own company,
 * because they may have none. False when nothing changes.
 */
export async function blockPerson(
  ctx: Pick<Context, 'db' | 'clock'>,
  { person: { personId, name }, reason, write }: Blocking,
): Promise<boolean> {
  const systemCompany = await openSystemCompany(ctx);
  return await ctx.db.transaction(async (tx) => {
    if (!(await setBlocked(tx, personId, reason))) return false;
    const isBlocked = reason !== undefined;
    if (isBlocked) await endAllSessions(tx, personId);
    await insertSecurityEvent(tx, { personId, kind: isBlocked ? 'blocked' : 'unblocked' });
    const companies = (await listCompanies(tx, personId)).map(({ id }) => id);
    // In one order, so that concurrent blocks do not wait for each other's logs.
    for (const companyId of [systemCompany, ...companies].toSorted((a, b) => a - b)) {
      await recordAuditEvent(tx, OPERATOR, {
        companyId,
        action: isBlocked ? 'member.blocked' : 'member.unblocked',
        object: name,
        ...(isBlocked && { after: { reason } }),
      });
    }
    await write?.(tx);
    return true;
  });
}
