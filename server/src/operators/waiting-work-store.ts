import type { RETRIED_WORK, WaitingKind } from '@zhiber/contract/admin/jobs.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';

export type WaitingWork = {
  kind: WaitingKind;
  overdue: number;
  oldestAt: Date | null;
  givenUp: number;
};

/** The watches come round every second; what is late by more than this is stuck. */
const LATE = `clock_timestamp() - interval '1 minute'`;

/**
 * What waits in our own tables and should be done by now. Each part reads an index of the rows that
 * are not finished, and no more than the messages of the last minute can be in the fourth.
 */
export async function listWaitingWork(sql: Sql): Promise<WaitingWork[]> {
  return await sql.query<WaitingWork>(
    `select 'notices' as kind, count(*) filter (where next_try_at < ${LATE})::integer as overdue,
       min(received_at) filter (where next_try_at < ${LATE} or next_try_at is null) as "oldestAt",
       count(*) filter (where next_try_at is null)::integer as "givenUp"
     from payment_notice where handled_at is null
     union all
     select 'orders', count(*)::integer, min(next_check_at), 0 from payment_order where next_check_at < ${LATE}
     union all
     select 'refunds', count(*) filter (where next_try_at < ${LATE})::integer,
       min(asked_at) filter (where next_try_at < ${LATE} or next_try_at is null),
       count(*) filter (where next_try_at is null)::integer
     from refund where state = 'asked'
     union all
     select 'messages', count(*)::integer, min(created_at), 0
     from message where next_check_at < ${LATE} and next_check_at > clock_timestamp() - interval '2 days'
       and state = 'sending'
     union all
     select 'early_receipts', count(*)::integer, min(at), 0 from early_receipt where at < ${LATE}`,
  );
}

type RetriedKind = (typeof RETRIED_WORK)[number];

const RETRY: Readonly<Record<RetriedKind, string>> = {
  notices: `update payment_notice set tries = 0, next_try_at = clock_timestamp()
    where handled_at is null and next_try_at is null returning 1`,
  // The count of tries stays: from the second on, the provider is asked first whether it was made.
  refunds: `update refund r set next_try_at = clock_timestamp() from payment p
    where p.id = r.payment_id and p.provider = any ($1) and r.state = 'asked' and r.next_try_at is null returning 1`,
};

/** Makes everything that was given up due again. Returns how many. */
export async function retryGivenUp(
  tx: Transaction,
  kind: RetriedKind,
  providers: readonly string[],
): Promise<number> {
  return (await tx.query(RETRY[kind], kind === 'refunds' ? [providers] : [])).length;
}
