import { recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { PersonId } from '../ids.ts';
import { listCompanies, setBlocked } from './person-store.ts';
import { insertSecurityEvent } from './security-event-store.ts';
import { endAllSessions } from './session-store.ts';

/** The operator's command line: the audit log records no person for it. */
const OPERATOR = {};

type Blocking = { person: { personId: PersonId; name: string }; reason: string | undefined };

/**
 * Blocks a person: every session ends, and nobody can sign in as them. Without a reason they are
 * unblocked. Recorded in the audit log of each of their companies. False when nothing changes.
 */
export async function blockPerson(
  { db }: Pick<Context, 'db'>,
  { person: { personId, name }, reason }: Blocking,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    if (!(await setBlocked(tx, personId, reason))) return false;
    const isBlocked = reason !== undefined;
    if (isBlocked) await endAllSessions(tx, personId);
    await insertSecurityEvent(tx, { personId, kind: isBlocked ? 'blocked' : 'unblocked' });
    for (const { id: companyId } of await listCompanies(tx, personId)) {
      await recordAuditEvent(tx, OPERATOR, {
        companyId,
        action: isBlocked ? 'member.blocked' : 'member.unblocked',
        object: name,
        ...(isBlocked && { after: { reason } }),
      });
    }
    return true;
  });
}
