/** What a broadcast says about its rows, and whose turn it is to work on them. */
import type { RowsRead } from '@zhiber/contract/cabinet/broadcasts.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import type { CompanyId } from '../../ids.ts';

export type RowsSource = NonNullable<RowsRead['source']>;

export type DraftRows = {
  name: string;
  /** A draft that nobody was asked to approve. */
  is_changeable: boolean;
  source: RowsSource | null;
  source_name: string | null;
  columns: string[];
  phone_column: number | null;
  consent_column: number | null;
  rows_state: RowsRead['state'];
  rows_count: number;
  rows_version: number;
  includes_other_countries: boolean;
  /** Nobody has worked on the rows for a minute, although they are being read or checked. */
  is_stalled: boolean;
};

const FIELDS = `name, state = 'draft' and approval_asked_at is null as is_changeable, source, source_name, columns,
  phone_column, consent_column, rows_state, rows_count, rows_version, includes_other_countries,
  rows_state in ('reading', 'checking') and rows_at < clock_timestamp() - interval '1 minute' as is_stalled`;

type Place = { companyId: CompanyId; broadcastId: string };

export async function findDraftRows(
  sql: Sql,
  { companyId, broadcastId }: Place,
): Promise<DraftRows | undefined> {
  const rows = await sql.query<DraftRows>(
    `select ${FIELDS} from broadcast where company_id = $1 and id = $2`,
    [companyId, broadcastId],
  );
  return rows[0];
}

export async function lockDraftRows(
  tx: Transaction,
  { companyId, broadcastId }: Place,
): Promise<DraftRows | undefined> {
  const rows = await tx.query<DraftRows>(
    `select ${FIELDS} from broadcast where company_id = $1 and id = $2 for no key update`,
    [companyId, broadcastId],
  );
  return rows[0];
}

/** Begins to replace the rows. Returns the number under which they are written. */
export async function startReading(
  tx: Transaction,
  { broadcastId, source, name }: { broadcastId: string; source: RowsSource; name: string },
): Promise<number> {
  const rows = await tx.query<{ rows_version: number }>(
    `update broadcast set source = $2, source_name = $3, columns = '{}', phone_column = null,
       consent_column = null, rows_state = 'reading', rows_count = 0, rows_version = rows_version + 1,
       rows_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp()
     where id = $1 returning rows_version`,
    [broadcastId, source, name],
  );
  return (rows[0] as { rows_version: number }).rows_version;
}

/** One's turn at the rows of a broadcast. */
export type Turn = { broadcastId: string; version: number };

/**
 * Notes progress, and keeps everybody else from the rows until the transaction ends. False when
 * somebody else has begun to work on them.
 */
export async function keepTurn(
  tx: Transaction,
  { broadcastId, version }: Turn,
  moreRows = 0,
): Promise<boolean> {
  const rows = await tx.query(
    `update broadcast set rows_count = rows_count + $3, rows_at = clock_timestamp()
     where id = $1 and rows_version = $2 and state = 'draft' returning 1`,
    [broadcastId, version, moreRows],
  );
  return rows.length > 0;
}

export type FoundColumns = {
  columns: string[];
  phoneColumn: number | null;
  consentColumn: number | null;
};

export async function finishReading(
  tx: Transaction,
  { broadcastId }: Turn,
  { columns, phoneColumn, consentColumn }: FoundColumns,
): Promise<void> {
  await tx.query(
    `update broadcast set rows_state = 'read', columns = $2, phone_column = $3, consent_column = $4 where id = $1`,
    [broadcastId, columns, phoneColumn, consentColumn],
  );
}

/** After a failed reading. */
export async function forgetSource(tx: Transaction, { broadcastId }: Turn): Promise<void> {
  await tx.query(
    `update broadcast set rows_state = 'none', rows_count = 0, source = null, source_name = null where id = $1`,
    [broadcastId],
  );
}

export async function setColumns(
  tx: Transaction,
  broadcastId: string,
  { columns, phoneColumn, consentColumn }: FoundColumns,
): Promise<void> {
  await tx.query(
    `update broadcast set columns = $2, phone_column = $3, consent_column = $4, version = version + 1,
       updated_at = clock_timestamp() where id = $1`,
    [broadcastId, columns, phoneColumn, consentColumn],
  );
}

export type CheckTurn = {
  company_id: CompanyId;
  rows_version: number;
  phone_column: number;
  consent_column: number | null;
  includes_other_countries: boolean;
};

/**
 * Begins to check all rows. Undefined when there is nothing to check, or, with `afterVersion`, when
 * somebody else has begun to work on the rows since.
 */
export async function startChecking(
  sql: Sql,
  { broadcastId, afterVersion }: { broadcastId: string; afterVersion?: number | undefined },
): Promise<CheckTurn | undefined> {
  const rows = await sql.query<CheckTurn>(
    `update broadcast set rows_state = 'checking', rows_version = rows_version + 1, rows_at = clock_timestamp()
     where id = $1 and state = 'draft' and rows_state in ('read', 'checking', 'checked') and phone_column is not null
       and ($2::integer is null or rows_version = $2)
     returning company_id, rows_version, phone_column, consent_column, includes_other_countries`,
    [broadcastId, afterVersion ?? null],
  );
  return rows[0];
}

/** False when somebody else has begun to work on the rows. */
export async function finishChecking(sql: Sql, { broadcastId, version }: Turn): Promise<boolean> {
  const rows = await sql.query(
    `update broadcast set rows_state = 'checked', rows_at = clock_timestamp()
     where id = $1 and rows_version = $2 and rows_state = 'checking' returning 1`,
    [broadcastId, version],
  );
  return rows.length > 0;
}

/** A change of single rows counts as a change of the draft. */
export async function countChange(tx: Transaction, broadcastId: string): Promise<void> {
  await tx.query(
    'update broadcast set version = version + 1, updated_at = clock_timestamp() where id = $1',
    [broadcastId],
  );
}
