import type { RecipientRow } from '@zhiber/contract/cabinet/broadcast-rows.ts';
import type { RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { RowsRead } from '@zhiber/contract/cabinet/broadcasts.ts';
import type { Context } from '../../context.ts';
import { maskPhone, type Phone } from '../../phone.ts';
import { Problem } from '../../problem.ts';
import { checkRows, type RowsPlace } from './check-rows.ts';
import { type DraftRows, findDraftRows, startChecking } from './draft-rows-store.ts';
import { hideDigits } from './hide-digits.ts';
import { countVerdicts, listRows, type StoredRow } from './row-store.ts';

const PREVIEW_ROWS = 5;
const PAGE_ROWS = 50;

/**
 * How the rows of a broadcast were read, and what becomes of them. A reading that was cut by a crash
 * shows as no rows, because the file has to be uploaded again; a check that was cut is done again.
 */
export async function describeRows(
  ctx: Pick<Context, 'db' | 'config'>,
  place: RowsPlace,
  { canSeePhones }: { canSeePhones: boolean },
): Promise<RowsRead> {
  const draft = await readWithoutStalledCheck(ctx, place);
  const { broadcastId } = place;
  const isLost = draft.rows_state === 'reading' && draft.is_stalled;
  if (draft.rows_state === 'none' || isLost) return NO_ROWS;
  const isRead = draft.rows_state !== 'reading';
  const slice = { broadcastId, after: 0, limit: PREVIEW_ROWS };
  const preview = isRead ? await listRows(ctx.db, slice) : [];
  return {
    state: draft.rows_state,
    source: draft.source,
    source_name: draft.source_name,
    rows: draft.rows_count,
    columns: draft.columns,
    phone_column: draft.phone_column,
    consent_column: draft.consent_column,
    preview: preview.map(({ number, cells }) => ({ number, cells: shown(cells, canSeePhones) })),
    verdicts: draft.rows_state === 'checked' ? await countVerdicts(ctx.db, broadcastId) : null,
  };
}

const NO_ROWS: RowsRead = {
  state: 'none',
  source: null,
  source_name: null,
  rows: 0,
  columns: [],
  phone_column: null,
  consent_column: null,
  preview: [],
  verdicts: null,
};

async function readWithoutStalledCheck(
  ctx: Pick<Context, 'db' | 'config'>,
  place: RowsPlace,
): Promise<DraftRows> {
  const draft = await findDraftRows(ctx.db, place);
  if (draft === undefined) throw new Problem('not_found');
  if (draft.rows_state !== 'checking' || !draft.is_stalled) return draft;
  const { broadcastId } = place;
  // Of several who see it, one takes the turn.
  const turn = await startChecking(ctx.db, { broadcastId, afterVersion: draft.rows_version });
  if (turn !== undefined) await checkRows(ctx, broadcastId, turn);
  return (await findDraftRows(ctx.db, place)) ?? draft;
}

/** A page of rows in the order of the file, and the cursor of the next one. */
export async function listRecipientRows(
  { db }: Pick<Context, 'db'>,
  place: RowsPlace,
  filter: {
    cursor?: string | undefined;
    verdict?: RowVerdict | undefined;
    canSeePhones: boolean;
  },
): Promise<{ rows: RecipientRow[]; next: string | null }> {
  if ((await findDraftRows(db, place)) === undefined) throw new Problem('not_found');
  const after = readCursor(filter.cursor);
  const slice = { broadcastId: place.broadcastId, after, limit: PAGE_ROWS + 1 };
  const found = await listRows(db, slice, filter.verdict);
  const rows = found.slice(0, PAGE_ROWS);
  return {
    rows: rows.map((row) => toRecipientRow(row, filter)),
    next: found.length > PAGE_ROWS ? String(rows.at(-1)?.number) : null,
  };
}

export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}

export function toRecipientRow(
  { number, cells, phone, verdict, reason }: StoredRow,
  { canSeePhones }: { canSeePhones: boolean },
): RecipientRow {
  const digits = String(phone) as Phone;
  const shownPhone = canSeePhones ? `+${digits}` : maskPhone(digits);
  return {
    number,
    phone: phone === null ? null : shownPhone,
    cells: shown(cells, canSeePhones),
    verdict,
    reason,
  };
}

/** Cells for a person who may not see phones: a broken phone is one too. */
export function shown(cells: readonly string[], canSeePhones: boolean): string[] {
  return cells.map((cell) => (canSeePhones ? cell : hideDigits(cell)));
}
