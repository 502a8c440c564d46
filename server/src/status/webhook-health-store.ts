import type { Sql } from '../db/sql.ts';

export type WebhookMinute = { minute: Date; good: number; bad: number };

/**
 * Events by the minute in which they happened: good when the first try to deliver them was made in
 * time, bad when it was late or has not been made. An address of a customer that does not answer is
 * no fault of ours. Empty while no table holds them.
 */
export async function readWebhookHealth(
  _sql: Sql,
  _span: { from: Date; until: Date },
): Promise<WebhookMinute[]> {
  return [];
}
