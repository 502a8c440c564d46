import type { Database } from '../../src/db/database.ts';
import type { Sql } from '../../src/db/group-commit.ts';

/** What the largest statement so far has read. */
export type Largest = {
  rows: number;
  /** Of those, without what was passed over: a table with little else is read whole. */
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
 * The same database; how many messages and calls each statement reads is noted on the way. What writes
 * is left alone: it would be done twice.
 */
export function explained(db: Database): { db: Database; largest: Largest } {
  const largest: Largest = { rows: 0, rowsUsed: 0, buffers: 0 };
  const explaining = (sql: Sql): Sql['query'] => {
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
          rowsOf(plan, (node) => node['Rows Removed by Filter'] ?? 0),
        );
        largest.rowsUsed = Math.max(
          largest.rowsUsed,
          rowsOf(plan, () => 0),
        );
        largest.buffers = Math.max(largest.buffers, buffers);
      }
      return await sql.query(text, values, name);
    };
  };
  return {
    db: {
      ...db,
      query: explaining(db),
      transaction: (work) => db.transaction((tx) => work({ query: explaining(tx) })),
    },
    largest,
  };
}

function rowsOf(node: PlanNode, passedOver: (node: PlanNode) => number): number {
  const isWanted = /^(?:message|request_log)_2/.test(node['Relation Name'] ?? '');
  const own = (node['Actual Rows'] + passedOver(node)) * node['Actual Loops'];
  return (node.Plans ?? []).reduce(
    (sum, child) => sum + rowsOf(child, passedOver),
    isWanted ? own : 0,
  );
}
