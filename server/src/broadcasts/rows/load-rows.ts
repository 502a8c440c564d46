import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import { retryWhileDatabaseAway } from '../../db/retry-conflicts.ts';
import { logUnlessAway } from '../../db/sql-errors.ts';
import { Problem } from '../../problem.ts';
import { checkRows, inTurn, type RowsPlace } from './check-rows.ts';
import {
  type DraftRows,
  type FoundColumns,
  finishReading,
  forgetSource,
  lockDraftRows,
  type RowsSource,
  startChecking,
  startReading,
  type Turn,
} from './draft-rows-store.ts';
import { readRows } from './read-rows.ts';
import { readSheet } from './read-sheet.ts';
import { deleteSomeRows, insertRows, type Slice, widenRows } from './row-store.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'log' | 'workbooks'>;

const WIDEN_ROWS = 5_000;

/**
 * Replaces the rows of a draft by those of a file or of pasted text, and checks them when it is
 * clear where the phones are. When the file cannot be read to its end, the draft has no rows.
 */
export async function uploadRows(
  ctx: Ctx,
  actor: Actor,
  upload: RowsPlace & {
    source: Extract<RowsSource, 'file' | 'text'>;
    name: string;
    bytes: AsyncIterable<Buffer>;
  },
): Promise<void> {
  const { source, name, bytes } = upload;
  await replaceRows(ctx, actor, { ...upload, source, name }, async (turn) => {
    const write = (rows: Parameters<typeof insertRows>[2]) =>
      inTurn(ctx, turn, (tx) => insertRows(tx, upload, rows), rows.length);
    const table = await readRows(readSheet(ctx, bytes), write);
    if (table.widenedAt !== undefined) await widen(ctx, turn, table.columns.length);
    return table;
  });
}

/** Replaces the rows by what `read` writes, and checks them. */
export async function replaceRows(
  ctx: Ctx,
  actor: Actor,
  rows: RowsPlace & { source: RowsSource; name: string },
  read: (turn: Turn) => Promise<FoundColumns & { rows: number }>,
): Promise<void> {
  const { companyId, broadcastId, source, name } = rows;
  const { turn, broadcast } = await ctx.db.transaction(async (tx) => {
    const draft = await lockChangeable(tx, rows);
    const version = await startReading(tx, { broadcastId, source, name });
    return { turn: { broadcastId, version }, broadcast: draft.name };
  });
  try {
    await removeRows(ctx, turn);
    const { rows: count, ...found } = await read(turn);
    await inTurn(ctx, turn, async (tx) => {
      await finishReading(tx, turn, found);
      const after = { source, file: name, rows: count };
      const event = {
        companyId,
        action: 'broadcast.rows_loaded',
        object: broadcast,
        after,
      } as const;
      await recordAuditEvent(tx, actor, event);
    });
  } catch (error) {
    await forgetRows(ctx, turn);
    throw error;
  }
  const checkTurn = await startChecking(ctx.db, { broadcastId, afterVersion: turn.version });
  if (checkTurn !== undefined) await checkRows(ctx, broadcastId, checkTurn);
}

/** The draft, locked. Throws when there is none, or when it cannot be changed any more. */
export async function lockChangeable(tx: Transaction, place: RowsPlace): Promise<DraftRows> {
  const draft = await lockDraftRows(tx, place);
  if (draft === undefined) throw new Problem('not_found');
  if (!draft.is_changeable) throw new Problem('broadcast_not_draft');
  return draft;
}

async function removeRows(ctx: Ctx, turn: Turn): Promise<void> {
  while ((await inTurn(ctx, turn, (tx) => deleteSomeRows(tx, turn.broadcastId))) > 0);
}

/** Half of a file is worse than none. Whoever has taken over since has removed the rows already. */
async function forgetRows(ctx: Ctx, turn: Turn): Promise<void> {
  try {
    await retryWhileDatabaseAway(() => removeRows(ctx, turn));
    await retryWhileDatabaseAway(() => inTurn(ctx, turn, (tx) => forgetSource(tx, turn)));
  } catch (error) {
    if (!(error instanceof Problem)) logUnlessAway(ctx.log, 'forgetting half-read rows')(error);
  }
}

async function widen(ctx: Ctx, turn: Turn, width: number): Promise<void> {
  const { broadcastId } = turn;
  let last: number | undefined = 0;
  while (last !== undefined) {
    const slice: Slice = { broadcastId, after: last, limit: WIDEN_ROWS };
    last = await inTurn(ctx, turn, (tx) => widenRows(tx, slice, width));
  }
}
