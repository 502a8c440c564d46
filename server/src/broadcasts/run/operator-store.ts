import type { BroadcastState, PauseReason } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import type { Sql } from '../../db/sql.ts';
import type { BroadcastId, CompanyId } from '../../ids.ts';
import { RECIPIENT_COUNT } from './broadcast-store.ts';

/** A broadcast as the operator's terminal shows it. */
export type ListedBroadcast = {
  id: string;
  company_id: CompanyId;
  company: string;
  name: string;
  state: BroadcastState;
  pause_reason: PauseReason | null;
  pause_detail: string | null;
  recipients: number;
  held: number;
  start_at: Date | null;
  started_at: Date | null;
  ended_at: Date | null;
  counts: Progress | null;
  /** How old the counts are. */
  counted_seconds_ago: number | null;
};

const COLUMNS = `b.id, b.company_id, c.name as company, b.name, b.state, b.pause_reason, b.pause_detail,
  ${RECIPIENT_COUNT}, b.held, b.start_at, b.started_at, b.ended_at, b.counts,
  extract(epoch from clock_timestamp() - b.counted_at)::double precision as counted_seconds_ago`;

/** The newest broadcasts, of one company or of all. */
export async function listBroadcastsOf(
  sql: Sql,
  { companyId, max }: { companyId: CompanyId | undefined; max: number },
): Promise<ListedBroadcast[]> {
  return await sql.query<ListedBroadcast>(
    `select ${COLUMNS} from broadcast b join company c on c.id = b.company_id
     where $1::bigint is null or b.company_id = $1 order by b.id desc limit $2`,
    [companyId ?? null, max],
  );
}

/** Those that send, or may begin to send by themselves. */
export async function listLiveBroadcasts(sql: Sql): Promise<BroadcastId[]> {
  const rows = await sql.query<{ id: BroadcastId }>(
    `select id from broadcast where state in ('scheduled', 'running', 'paused') order by id`,
  );
  return rows.map(({ id }) => id);
}

export async function findBroadcast(sql: Sql, id: string): Promise<ListedBroadcast | undefined> {
  const rows = await sql.query<ListedBroadcast>(
    `select ${COLUMNS} from broadcast b join company c on c.id = b.company_id where b.id = $1`,
    [id],
  );
  return rows[0];
}
