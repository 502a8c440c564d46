import type { Transaction } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { insertCorrectionReason, postEntry } from './ledger-store.ts';

/**
 * Corrects a balance by an entry and keeps the reason, which the company reads in its ledger. Returns
 * the balance after it. The same cause twice is refused.
 */
export async function correctBalance(
  tx: Transaction,
  correction: { companyId: CompanyId; amount: number; cause: string; reason: string },
): Promise<number> {
  await insertCorrectionReason(tx, correction);
  return await postEntry(tx, { ...correction, kind: 'correction' });
}
