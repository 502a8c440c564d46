import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import type { Phone } from '../phone.ts';

/**
 * Adds a phone that wants no broadcasts of a company, or of anybody (company null). True when it is
 * new.
 */
export async function addUnsubscribed(
  sql: Sql,
  row: {
    phone: Phone;
    companyId: CompanyId | null;
    source: 'link' | 'word' | 'provider' | 'company' | 'operator';
    broadcastId: string | null;
  },
): Promise<boolean> {
  const rows = await sql.query<{ phone: number }>(
    `insert into unsubscribed (phone, company_id, source, broadcast_id) values ($1, $2, $3, $4)
     on conflict do nothing returning phone`,
    [row.phone, row.companyId, row.source, row.broadcastId],
    'add-unsubscribed',
  );
  return rows.length > 0;
}
