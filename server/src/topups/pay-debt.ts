import { postEntry } from '../billing/ledger-store.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { addDebt, type Money } from './payment-store.ts';

/**
 * Pays a debt from money that comes to an account: as much as there is without what is held.
 * Otherwise sending would stay blocked in spite of the balance. `money` is the locked account before
 * `added` came, and the cause is that of what was added. Returns what was paid.
 */
export async function payDebt(
  tx: Transaction,
  companyId: CompanyId,
  { money, added, cause }: { money: Money; added: number; cause: string },
): Promise<number> {
  const paidOff = Math.min(money.debt, money.balance - money.held + added);
  if (paidOff === 0) return 0;
  await postEntry(tx, { companyId, kind: 'debt_paid', amount: -paidOff, cause });
  await addDebt(tx, companyId, -paidOff);
  return paidOff;
}
