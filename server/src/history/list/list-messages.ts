import type { Sql } from '../../db/group-commit.ts';
import { type CompanyId, isId, type MessageId, timeOfId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { type ListedMessage, scanMessages } from './message-list-store.ts';
import type { MessageQuery } from './message-query.ts';

export const PAGE_ROWS = 50;

export type MessagePage = {
  rows: ListedMessage[];
  next: MessageId | null;
  /** Set where the search stopped to answer in time, and `next` goes on. */
  searchedUntil: Date | null;
};

/**
 * A page of messages, newest first, in time that depends neither on how many there are nor on how
 * rare those are that match.
 */
export async function listMessages(
  sql: Sql,
  companyId: CompanyId,
  query: MessageQuery,
  page: { cursor?: string | undefined; rowsMax?: number } = {},
): Promise<MessagePage> {
  const rowsMax = page.rowsMax ?? PAGE_ROWS;
  const before = page.cursor === undefined ? undefined : readCursor(page.cursor);
  // One more than is shown tells whether there is a next page.
  const scan = await scanMessages(sql, companyId, query, { before, rowsMax: rowsMax + 1 });
  const rows = scan.rows.slice(0, rowsMax);
  const hasMore = scan.rows.length > rowsMax;
  const { stoppedAt } = scan;
  return {
    rows,
    next: hasMore ? (rows.at(-1)?.id ?? null) : (stoppedAt ?? null),
    searchedUntil: hasMore || stoppedAt === undefined ? null : timeOfId(stoppedAt),
  };
}

function readCursor(cursor: string): MessageId {
  if (isId(cursor)) return cursor;
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}
