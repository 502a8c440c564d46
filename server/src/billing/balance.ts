import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { findBalance } from './ledger-store.ts';

/** The balance of a company, holds included. */
export async function readBalance(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
): Promise<number> {
  return (await findBalance(db, companyId)) ?? 0;
}
