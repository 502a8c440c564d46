import type { Sql } from '../db/sql.ts';
import type { CompanyId, MessageId } from '../ids.ts';

/** What the cursors of the watch have not passed: everything that is unfinished is among it. */
const UNFINISHED = 'm.next_check_at > (select swept_until from watch)';
const ROWS_PER_STATEMENT = 5_000;

/** Sends that were with a channel. */
export async function listInFlight(sql: Sql): Promise<{ companyId: CompanyId; id: MessageId }[]> {
  return await sql.query(
    `select m.company_id::double precision as "companyId", m.id from message m
     where ${UNFINISHED} and m.state = 'sending' order by m.company_id, m.id`,
  );
}

/**
 * Ends fallbacks that were with a channel. What became of them is not known. Returns how many have no
 * further channel to wait for.
 */
export async function settleOpenFallbacks(sql: Sql, reason: string): Promise<number> {
  const rows = await sql.query<{ is_last: boolean }>(
    `select m.route = '' as is_last,
       settle_fallback(m.company_id, m.id, m.attempt, 'unknown', 0, true, null, $1, 20, new_id())
     from message m join attempt a on a.company_id = m.company_id and a.message_id = m.id
       and a.number = m.attempt and a.state = 'sending'
     where ${UNFINISHED} and m.state = 'sent'`,
    [reason],
  );
  return rows.filter((row) => row.is_last).length;
}

/** Ends the wait for a next channel. Returns how many messages were waiting, a part of them at a time. */
export async function endWaitingFallbacks(sql: Sql): Promise<number> {
  const rows = await sql.query<{ ended: number }>(
    `with waiting as materialized (
       select m.company_id, m.id from message m
       where ${UNFINISHED} and m.state = 'sent' and (m.route <> '' or m.hold > 0) limit ${ROWS_PER_STATEMENT}
     ), listed as (
       select array_agg(company_id) as companies, array_agg(id) as ids, count(*)::integer as ended from waiting
     )
     select ended, end_watch(companies, ids) from listed where ended > 0`,
  );
  return rows[0]?.ended ?? 0;
}

/** The copies of codes that only a fallback would need. Codes can be verified without them. */
export async function removeSealedCodes(sql: Sql): Promise<void> {
  await sql.query('update code set sealed = null where sealed is not null');
}

/** Deliveries that wait are left to the company, which can ask for them in the cabinet. */
export async function missWaitingWebhooks(sql: Sql): Promise<number> {
  const rows = await sql.query<{ missed: number }>(
    `with missed as (
       update webhook_delivery set state = 'missed', next_try_at = null, is_trying = false, claim = claim + 1
       where state = 'waiting' returning 1)
     select count(*)::integer as missed from missed`,
  );
  return rows[0]?.missed ?? 0;
}

/** A refund may have been made after the backup: the next try asks the provider first. */
export async function askAboutRefunds(sql: Sql): Promise<void> {
  await sql.query(`update refund set tries = greatest(tries, 1) where state = 'asked'`);
}

/** Until a balance has risen, its company has heard of it. */
export async function silenceAlerts(sql: Sql): Promise<void> {
  await sql.query('update balance_alert set is_announced = true, claimed_until = null');
}
