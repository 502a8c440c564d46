import type { Sql } from '../db/sql.ts';

/** A node keeps so many batches at most, for nodes that start later. */
const BATCHES_MAX = 200;
const KEPT_MINUTES = 60;

export type Batch = { node: string; number: number; sealed: Buffer };

/** Stores a batch; a second time it does nothing. */
export async function insertBatch(sql: Sql, { node, number, sealed }: Batch): Promise<void> {
  await sql.query(
    `insert into sandbox_news (node, number, sealed) values ($1, $2, $3)
     on conflict (node, number) do nothing`,
    [node, number, sealed],
    'insert-sandbox-news',
  );
}

export async function removeOldBatches(sql: Sql, { node, number }: Omit<Batch, 'sealed'>) {
  await sql.query(
    `delete from sandbox_news where node = $1 and number <= $2 or at < clock_timestamp() - $3 * interval '1 minute'`,
    [node, number - BATCHES_MAX, KEPT_MINUTES],
    'remove-sandbox-news',
  );
}

/**
 * The batches of other nodes that this one has not read. A node writes its batches one after another,
 * so none becomes visible after a later one.
 */
export async function readBatches(
  sql: Sql,
  { node, read, max }: { node: string; read: ReadonlyMap<string, number>; max: number },
): Promise<Batch[]> {
  return await sql.query<Batch>(
    `select n.node, n.number, n.sealed
     from sandbox_news n left join unnest($2::text[], $3::bigint[]) as r(node, number) on r.node = n.node
     where n.node <> $1 and n.number > coalesce(r.number, 0)
     order by n.at, n.number limit $4`,
    [node, [...read.keys()], [...read.values()], max],
    'read-sandbox-news',
  );
}
