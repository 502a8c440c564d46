import type { Sql } from '../db/sql.ts';

export type WebhookMinute = { minute: Date; good: number; bad: number };

/**
 * The tries of webhooks by minute: made in time, or late because of us. An address of a customer
 * that does not answer is no fault of ours. Empty while no table holds them.
 */
export async function readWebhookHealth(
  _sql: Sql,
  _span: { from: Date; until: Date },
): Promise<WebhookMinute[]> {
  return [];
}
