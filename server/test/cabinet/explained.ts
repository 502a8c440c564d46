import type { Database } from '../../src/db/database.ts';

/** What the largest statement so far has read. */
export type Largest = { rows: number; buffers: number };

type PlanNode = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};

/** The same database; how many messages and calls each statement reads is noted on the way. */
export function explained(db: Database): { db: Database; largest: Largest } {
  const largest: Largest = { rows: 0, buffers: 0 };
  const query: Database['query'] = async (text, values, name) => {
    const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    const plan = row?.['QUERY PLAN'][0].Plan as PlanNode;
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    largest.rows = Math.max(largest.rows, rowsOf(plan));
    largest.buffers = Math.max(largest.buffers, buffers);
    return await db.query(text, values, name);
  };
  return { db: { ...db, query }, largest };
}

function rowsOf(node: PlanNode): number {
  const isWanted = /^(?:message|request_log)_2/.test(node['Relation Name'] ?? '');
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), isWanted ? own : 0);
}
