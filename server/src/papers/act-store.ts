import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import { type CompanyId, lowestIdAt } from '../ids.ts';
import type { Month } from './month.ts';

export type StoredAct = { number: number; content: string; hash: Buffer };

export async function findAct(
  sql: Sql,
  companyId: CompanyId,
  month: Month,
): Promise<StoredAct | undefined> {
  const rows = await sql.query<StoredAct>(
    'select number, content, hash from act where company_id = $1 and month = $2',
    [companyId, `${month}-01`],
  );
  return rows[0];
}

export async function insertAct(
  tx: Transaction,
  act: StoredAct & { companyId: CompanyId; month: Month },
): Promise<void> {
  await tx.query(
    `insert into act (company_id, month, number, content, hash, created_at)
     values ($1, $2, $3, $4, $5, clock_timestamp())`,
    [act.companyId, `${act.month}-01`, act.number, act.content, act.hash],
  );
}

type Range = { from: Date; to: Date };

/** Charged messages of a time by channel and price. */
export async function sumMessages(
  sql: Sql,
  companyId: CompanyId,
  { from, to }: Range,
): Promise<{ channel: Channel; price: number; count: number }[]> {
  return await sql.query(
    `select channel, charged as price, count(*)::integer as count from message
     where company_id = $1 and id >= $2 and id < $3 and charged > 0
     group by channel, charged`,
    [companyId, lowestIdAt(from.getTime()), lowestIdAt(to.getTime())],
  );
}

/** Whether messages of a time were removed because of their age. Months of messages are those of UTC. */
export async function areMessagesRemoved(
  sql: Sql,
  companyId: CompanyId,
  { from, to }: Range,
): Promise<boolean> {
  const monthOfUtc = (at: Date) => `${at.toISOString().slice(0, 7)}-01`;
  const rows = await sql.query(
    'select from removed_month where company_id = $1 and month between $2 and $3 limit 1',
    [companyId, monthOfUtc(from), monthOfUtc(new Date(to.getTime() - 1))],
  );
  return rows.length > 0;
}
