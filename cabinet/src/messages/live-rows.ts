import type { MessageState } from '@zhiber/contract/api/events.ts';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';

/** A receipt that has not come by then comes late, if at all. */
const RECEIPT_MS = 120_000;

const UNSETTLED: ReadonlySet<MessageState> = new Set(['queued', 'sending', 'sent']);

/** Whether a row may change before the reader's eyes. */
export function isUnsettled(row: Pick<MessageRow, 'state' | 'at'>, now: number): boolean {
  return UNSETTLED.has(row.state) && now - Date.parse(row.at) < RECEIPT_MS;
}

/** A list that ends in the past gets no new rows. */
export function canGrow(filters: { range?: string | undefined; to?: string | undefined }): boolean {
  return filters.range !== 'yesterday' && filters.to === undefined;
}

/** The same rows in the same places, each as it is known last. */
export function freshened<Row extends { id: string }>(
  rows: readonly Row[],
  latest: readonly Row[] | undefined,
): Row[] {
  const known = new Map(latest?.map((row) => [row.id, row]));
  return rows.map((row) => known.get(row.id) ?? row);
}

/** Ids grow with time, so that they compare as the messages do. */
export function newerThan<Row extends { id: string }>(
  rows: readonly Row[],
  newestId: string | undefined,
): Row[] {
  return newestId === undefined ? [...rows] : rows.filter(({ id }) => id > newestId);
}
