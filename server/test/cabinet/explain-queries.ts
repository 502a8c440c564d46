import type { Database } from '../../src/db/database.ts';
import type { Sql } from '../../src/db/sql.ts';

/** The largest reads of a single statement so far. */
export type LargestRead = {
  rows: number;
  /** Without rows removed by a filter: the planner scans a small table as a whole. */
  rowsUsed: number;
  buffers: number;
};

type PlanNode = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};

/**
 * Wraps a database and records how many rows of messages, request logs, entries and
 * deliveries of webhooks each statement reads.
 * Writing statements are not explained, because `explain analyze` would execute them twice.
 */
export function explainQueries(db: Database): { db: Database; largest: LargestRead } {
  const largest: LargestRead = { rows: 0, rowsUsed: 0, buffers: 0 };
  const explainThenQuery = (sql: Sql): Sql['query'] => {
    return async (text, values, name) => {
      if (!/\b(?:insert|update|delete)\b/i.test(text)) {
        const [row] = await sql.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, buffers, format json) ${text}`,
          values,
        );
        const plan = row?.['QUERY PLAN'][0].Plan as PlanNode;
        const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        largest.rows = Math.max(
          largest.rows,
          countRows(plan, (node) => node['Rows Removed by Filter'] ?? 0),
        );
        largest.rowsUsed = Math.max(
          largest.rowsUsed,
          countRows(plan, () => 0),
        );
        largest.buffers = Math.max(largest.buffers, buffers);
      }
      return await sql.query(text, values, name);
    };
  };
  return {
    db: {
      ...db,
      query: explainThenQuery(db),
      transaction: (work) => db.transaction((tx) => work({ query: explainThenQuery(tx) })),
    },
    largest,
  };
}

function countRows(node: PlanNode, countFiltered: (node: PlanNode) => number): number {
  const isCounted = /^(?:(?:message|request_log|entry)_2|webhook_delivery$)/.test(
    node['Relation Name'] ?? '',
  );
  const own = (node['Actual Rows'] + countFiltered(node)) * node['Actual Loops'];
  return (node.Plans ?? []).reduce(
    (sum, child) => sum + countRows(child, countFiltered),
    isCounted ? own : 0,
  );
}
