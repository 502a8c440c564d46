import { ROW_VERDICTS, type RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import type { CompanyId } from '../../ids.ts';
import { arrayText } from './array-text.ts';
import type { SheetRow } from './sheet-row.ts';

export async function insertRows(
  tx: Transaction,
  { companyId, broadcastId }: { companyId: CompanyId; broadcastId: string },
  rows: readonly SheetRow[],
): Promise<void> {
  await tx.query(
    `insert into broadcast_row (broadcast_id, company_id, number, cells)
     select $1, $2, number, cells::text[] from unnest($3::integer[], $4::text[]) as row (number, cells)`,
    [
      broadcastId,
      companyId,
      rows.map(({ number }) => number),
      rows.map(({ cells }) => arrayText(cells)),
    ],
    'insert-broadcast-rows',
  );
}

/** Removes some of the rows; returns how many. */
export async function deleteSomeRows(tx: Transaction, broadcastId: string): Promise<number> {
  const rows = await tx.query(
    `delete from broadcast_row where broadcast_id = $1 and number in (
       select number from broadcast_row where broadcast_id = $1 order by number limit 5000) returning 1`,
    [broadcastId],
  );
  return rows.length;
}

/** The next rows after a number. */
export type Slice = { broadcastId: string; after: number; limit: number };

/** Gives rows the empty cells that they lack; returns the last number that was looked at. */
export async function widenRows(
  tx: Transaction,
  { broadcastId, after, limit }: Slice,
  width: number,
): Promise<number | undefined> {
  const rows = await tx.query<{ last: number | null }>(
    `with slice as (
       select number, cardinality(cells) as cells_count from broadcast_row where broadcast_id = $1 and number > $2
       order by number limit $3),
     widened as (
       update broadcast_row r set cells = cells || array_fill(''::text, array[$4::integer - cells_count])
       from slice where r.broadcast_id = $1 and r.number = slice.number and cells_count < $4)
     select max(number) as last from slice`,
    [broadcastId, after, limit, width],
  );
  return rows[0]?.last ?? undefined;
}

/** What a row is judged by. */
export type UncheckedRow = { number: number; phone_cell: string; consent_cell: string };

const CELLS = `number, coalesce(cells[$2::integer], '') as phone_cell, coalesce(cells[$3::integer], '') as consent_cell`;

export type JudgedColumns = { phoneColumn: number; consentColumn: number | null };

export async function readUncheckedRows(
  sql: Sql,
  { broadcastId, after, limit }: Slice,
  { phoneColumn, consentColumn }: JudgedColumns,
): Promise<UncheckedRow[]> {
  return await sql.query<UncheckedRow>(
    `select ${CELLS} from broadcast_row where broadcast_id = $1 and number > $4 order by number limit $5`,
    [broadcastId, phoneColumn, consentColumn, after, limit],
    'read-unchecked-rows',
  );
}

/** A row with all that share one of the phones, to be judged together. */
export async function readRowsOfPhones(
  tx: Transaction,
  { broadcastId, number, phones }: { broadcastId: string; number: number; phones: string[] },
  { phoneColumn, consentColumn }: JudgedColumns,
): Promise<UncheckedRow[]> {
  return await tx.query<UncheckedRow>(
    `select ${CELLS} from broadcast_row
     where broadcast_id = $1 and (number = $4 or phone = any($5::bigint[])) order by number`,
    [broadcastId, phoneColumn, consentColumn, number, phones],
  );
}

/** Nobody holds a phone any more: its new holder may be an earlier row than the old one. */
export async function clearSomeVerdicts(tx: Transaction, broadcastId: string): Promise<number> {
  const rows = await tx.query(
    `update broadcast_row set verdict = null where broadcast_id = $1 and number in (
       select number from broadcast_row where broadcast_id = $1 and verdict = 'send' limit 5000) returning 1`,
    [broadcastId],
  );
  return rows.length;
}

export async function clearVerdicts(
  tx: Transaction,
  broadcastId: string,
  numbers: readonly number[],
): Promise<void> {
  await tx.query(
    'update broadcast_row set verdict = null where broadcast_id = $1 and number = any($2)',
    [broadcastId, numbers],
  );
}

export type Judgement = {
  number: number;
  phone: string | null;
  verdict: RowVerdict;
  reason: string | null;
};

/** Writes what becomes of rows. Whom nothing else holds back may still have unsubscribed. */
export async function writeVerdicts(
  tx: Transaction,
  { companyId, broadcastId }: { companyId: CompanyId; broadcastId: string },
  judged: readonly Judgement[],
): Promise<void> {
  await tx.query(
    `update broadcast_row r set phone = j.phone, reason = j.reason,
       verdict = case when j.verdict = 'send' and exists (
         select from unsubscribed u where u.phone = j.phone and (u.company_id = $2 or u.company_id is null))
         then 'unsubscribed' else j.verdict end
     from unnest($3::integer[], $4::bigint[], $5::row_verdict[], $6::text[]) as j (number, phone, verdict, reason)
     where r.broadcast_id = $1 and r.number = j.number`,
    [
      broadcastId,
      companyId,
      judged.map(({ number }) => number),
      judged.map(({ phone }) => phone),
      judged.map(({ verdict }) => verdict),
      judged.map(({ reason }) => reason),
    ],
    'write-verdicts',
  );
}

export type VerdictCounts = Record<RowVerdict, number>;

export async function countVerdicts(sql: Sql, broadcastId: string): Promise<VerdictCounts> {
  const rows = await sql.query<{ verdict: RowVerdict; count: number }>(
    `select verdict, count(*) as count from broadcast_row
     where broadcast_id = $1 and verdict is not null group by verdict`,
    [broadcastId],
  );
  const counts = Object.fromEntries(ROW_VERDICTS.map((verdict) => [verdict, 0])) as VerdictCounts;
  for (const { verdict, count } of rows) counts[verdict] = count;
  return counts;
}

export type StoredRow = {
  number: number;
  cells: string[];
  phone: number | null;
  verdict: RowVerdict | null;
  reason: string | null;
};

/** In the order of the file. */
export async function listRows(
  sql: Sql,
  { broadcastId, after, limit }: Slice,
  verdict?: RowVerdict | undefined,
): Promise<StoredRow[]> {
  return await sql.query<StoredRow>(
    `select number, cells, phone, verdict, reason from broadcast_row
     where broadcast_id = $1 and number > $2::bigint and ($4::row_verdict is null or verdict = $4)
     order by number limit $3`,
    [broadcastId, after, limit, verdict ?? null],
  );
}

export async function findRow(
  sql: Sql,
  broadcastId: string,
  number: number,
): Promise<StoredRow | undefined> {
  const rows = await sql.query<StoredRow>(
    'select number, cells, phone, verdict, reason from broadcast_row where broadcast_id = $1 and number = $2::bigint',
    [broadcastId, number],
  );
  return rows[0];
}

export async function setCell(
  tx: Transaction,
  { broadcastId, number }: { broadcastId: string; number: number },
  { column, text }: { column: number; text: string },
): Promise<void> {
  await tx.query(
    'update broadcast_row set cells[$3::integer] = $4 where broadcast_id = $1 and number = $2',
    [broadcastId, number, column, text],
  );
}
