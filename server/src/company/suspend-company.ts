import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { setSuspended } from './company-store.ts';

/** Who decides. The audit log records no person for the command line. */
export type Decider = {
  actor?: Actor | undefined;
  /** Written in the same transaction, when something changes. */
  write?: ((tx: Transaction) => Promise<void>) | undefined;
};

/**
 * Stops everything that a company sends, within a second: its keys are refused and its links closed.
 * Its people can still read the cabinet. False when it is suspended already.
 */
export async function suspendCompany(
  { db }: Pick<Context, 'db'>,
  { companyId, reason }: { companyId: CompanyId; reason: string },
  { actor = {}, write }: Decider = {},
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const isChanged = await setSuspended(tx, companyId, reason);
    if (isChanged) {
      const event = {
        companyId,
        action: 'company.suspended',
        object: '',
        after: { reason },
      } as const;
      await recordAuditEvent(tx, actor, event);
      await write?.(tx);
    }
    return isChanged;
  });
}

/** False when it is not suspended. */
export async function resumeCompany(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
  { actor = {}, write }: Decider = {},
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const isChanged = await setSuspended(tx, companyId, undefined);
    if (isChanged) {
      const event = { companyId, action: 'company.resumed', object: '' } as const;
      await recordAuditEvent(tx, actor, event);
      await write?.(tx);
    }
    return isChanged;
  });
}
