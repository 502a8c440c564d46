import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { findCompany, lockCompany } from './company-store.ts';
import { lockSenderName, updateSenderName } from './sender-name-store.ts';

export type ChooseOutcome = 'chosen' | 'no_company' | 'not_registered' | 'same';

/**
 * Chooses one of the registered names for the SMS of a company, or null for the one in the
 * provider's settings. It holds within a second. `write` is part of the same transaction.
 */
export async function chooseSenderName(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { companyId, name }: { companyId: CompanyId; name: string | null },
  write?: (tx: Transaction) => Promise<void>,
): Promise<ChooseOutcome> {
  return await db.transaction(async (tx) => {
    if ((await findCompany(tx, companyId)) === undefined) return 'no_company';
    await lockCompany(tx, companyId);
    if (name !== null && !(await lockSenderName(tx, name))) return 'not_registered';
    const before = await updateSenderName(tx, companyId, name);
    if (before === name) return 'same';
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'sender.changed',
      object: name ?? before ?? '',
      before: { sender: before },
      after: { sender: name },
    });
    await write?.(tx);
    return 'chosen';
  });
}
