import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { checkRows, type RowsPlace } from './check-rows.ts';
import { setColumns, startChecking } from './draft-rows-store.ts';
import { plainName } from './find-columns.ts';
import { lockChangeable } from './load-rows.ts';

/**
 * Says which columns hold the phone and the consent, and what the columns are called; then checks
 * all rows by them. New names alone need no check.
 */
export async function chooseColumns(
  ctx: Pick<Context, 'db' | 'config'>,
  place: RowsPlace,
  chosen: { phoneColumn: number; consentColumn: number | null; names: readonly string[] },
): Promise<void> {
  const { broadcastId } = place;
  const { phoneColumn, consentColumn } = chosen;
  const turn = await ctx.db.transaction(async (tx) => {
    const draft = await lockChangeable(tx, place);
    if (draft.rows_state === 'none' || draft.rows_state === 'reading') {
      throw new Problem('rows_not_checked');
    }
    const columns = checkNames(chosen.names, draft.columns.length);
    checkColumns(chosen, columns.length);
    await setColumns(tx, broadcastId, { columns, phoneColumn, consentColumn });
    const isSame = draft.phone_column === phoneColumn && draft.consent_column === consentColumn;
    if (isSame && draft.rows_state === 'checked') return undefined;
    return await startChecking(tx, { broadcastId });
  });
  if (turn !== undefined) await checkRows(ctx, broadcastId, turn);
}

function checkNames(names: readonly string[], count: number): string[] {
  const plain = names.map(plainName);
  if (plain.length !== count) refuse('names', `Столбцов ${count}`);
  if (plain.includes('')) refuse('names', 'Не должно быть пустым');
  const different = new Set(plain.map((name) => name.toLowerCase()));
  if (different.size !== count) refuse('names', 'Названия столбцов повторяются');
  return plain;
}

function checkColumns(
  { phoneColumn, consentColumn }: { phoneColumn: number; consentColumn: number | null },
  count: number,
): void {
  if (phoneColumn > count) refuse('phone', `Столбцов ${count}`);
  if (consentColumn === null) return;
  if (consentColumn > count) refuse('consent', `Столбцов ${count}`);
  if (consentColumn === phoneColumn) refuse('consent', 'Это столбец с телефоном');
}

function refuse(field: string, text: string): never {
  throw new Problem('validation_error', { errors: { [field]: [text] } });
}
