import type { MessageState } from '@zhiber/contract/api/events.ts';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';

/** A receipt that has not arrived by then will be late or missing, so polling stops. */
const RECEIPT_MS = 120_000;

const UNSETTLED: ReadonlySet<MessageState> = new Set(['queued', 'sending', 'sent']);

/** Whether a row may still change soon. */
export function isUnsettled(row: Pick<MessageRow, 'state' | 'at'>, now: number): boolean {
  return UNSETTLED.has(row.state) && now - Date.parse(row.at) < RECEIPT_MS;
}

/** Whether the list can get new rows; one that ends in the past cannot. */
export function canGrow(filters: { range?: string | undefined; to?: string | undefined }): boolean {
  return filters.range !== 'yesterday' && filters.to === undefined;
}

/** The same rows in the same order, each with its latest known state. */
export function freshened<Row extends { id: string }>(
  rows: readonly Row[],
  latest: readonly Row[] | undefined,
): Row[] {
  const known = new Map(latest?.map((row) => [row.id, row]));
  return rows.map((row) => known.get(row.id) ?? row);
}

/** Compares ids, which grow with time. */
export function newerThan<Row extends { id: string }>(
  rows: readonly Row[],
  newestId: string | undefined,
): Row[] {
  return newestId === undefined ? [...rows] : rows.filter(({ id }) => id > newestId);
}
