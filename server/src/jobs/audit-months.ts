import type { AuditedMonth } from '../billing/audit-scope-store.ts';
import { listMonthsToAudit, storeAudited, watchMonth } from '../billing/audited-month-store.ts';
import type { Context } from '../context.ts';
import { isConflict, isLockTimeout } from '../db/sql-errors.ts';
import { retryLocks } from './retry-locks.ts';

/**
 * Audits the months that no receipt changes any more, and stores their sums: later audits read these
 * and the months since. A month that breaks a rule, or changes meanwhile, stays for the next run.
 */
export async function auditMonths(
  ctx: Pick<Context, 'db' | 'config' | 'log'>,
  signal?: AbortSignal,
): Promise<AuditedMonth[]> {
  const audited: AuditedMonth[] = [];
  await ctx.db.maintain(async (db) => {
    for (const month of await listMonthsToAudit(db, ctx.config.keepDays.providerIds)) {
      if (signal?.aborted) break;
      try {
        await retryLocks(() => watchMonth(db, month));
        const broken = await db.transaction((tx) => storeAudited(tx, month));
        if (broken.length === 0) audited.push(month);
        else ctx.log.warn({ ...month, broken }, 'the audit of a month found something wrong');
      } catch (error) {
        if (!isConflict(error) && !isLockTimeout(error)) throw error;
        ctx.log.info(month, 'a month changed while it was audited');
      }
    }
  });
  return audited;
}
