import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import { findNumberSpan, type NumberSpan, readBalanceAfter } from './entry-store.ts';

/** The entries of a period, and the balance before the first and after the last of them. */
export type Period = { span: NumberSpan; opening: number; closing: number };

/**
 * The entries that were posted between two times; a missing time is no bound. Statements and acts
 * both begin with it, so that they agree on which entries a month has.
 */
export async function readPeriod(
  sql: Sql,
  companyId: CompanyId,
  times: { from: Date | undefined; to: Date | undefined },
): Promise<Period> {
  const { from, to } = await findNumberSpan(sql, companyId, times);
  // A period that ends before it begins has no entries.
  const span = { from, to: Math.max(from, to) };
  return {
    span,
    opening: await readBalanceAfter(sql, companyId, span.from - 1),
    closing: await readBalanceAfter(sql, companyId, span.to - 1),
  };
}
