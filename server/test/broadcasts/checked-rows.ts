import type { BroadcastId } from '../../src/ids.ts';
import type { RunSql } from '../harness.ts';

export type CheckedRow = { cells: string[]; verdict?: string };

/**
 * Gives a draft rows as a file and its check leave them. The phone is the first column; the rows
 * follow one of headings.
 */
export async function insertCheckedRows(
  sql: RunSql,
  id: BroadcastId | string,
  columns: string[],
  rows: readonly CheckedRow[],
): Promise<void> {
  await sql(
    `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict)
     select b.id, r.number + 1, b.company_id, r.cells, (r.cells[1])::bigint, r.verdict
     from broadcast b, jsonb_to_recordset($2) as r(number integer, cells text[], verdict row_verdict)
     where b.id = $1`,
    [
      id,
      JSON.stringify(
        rows.map(({ cells, verdict = 'send' }, i) => ({ number: i + 1, cells, verdict })),
      ),
    ],
  );
  await sql(
    `update broadcast set source = 'file', source_name = 'clients.csv', columns = $2, phone_column = 1,
       rows_state = 'checked', rows_count = $3 where id = $1`,
    [id, columns, rows.length],
  );
}
