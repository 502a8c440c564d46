import { COLUMNS_MAX, RECIPIENTS_MAX } from '@zhiber/contract/cabinet/broadcast-words.ts';
import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { type DraftRows, findDraftRows } from '../rows/draft-rows-store.ts';
import { padCells } from '../rows/read-rows.ts';
import {
  countNewMembers,
  findMembers,
  type ImportedRow,
  listImportedRows,
  type Member,
  recountList,
  saveMembers,
  setListColumns,
} from './list-store.ts';
import { type ListPlace, readLocked } from './recipient-lists.ts';

const BATCH_ROWS = 1_000;

/** Every row of the broadcast is in exactly one. */
export type Imported = { added: number; updated: number; unchanged: number; left_out: number };

/**
 * Takes the rows of a broadcast with good phones into a list, each with the tags. Known phones get
 * the new cells; an empty cell changes nothing. Columns that the list does not have are added.
 */
export async function importIntoList(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  request: ListPlace & { broadcastId: string; tags: readonly string[] },
): Promise<Imported> {
  const { companyId, listId, broadcastId } = request;
  const draft = await findDraftRows(ctx.db, { companyId, broadcastId });
  if (draft === undefined) throw new Problem('not_found');
  if (draft.rows_state !== 'checked') throw new Problem('rows_not_checked');
  const { name, places } = await prepareList(ctx, request, draft);

  const tags = [...new Set(request.tags.map((tag) => tag.trim()))];
  const toMember = ({ phone, cells }: ImportedRow): Member => ({
    phone,
    cells: places.map((place) => (place === undefined ? '' : (cells[place] ?? ''))),
    tags,
    has_consent: draft.consent_column === null ? null : true,
  });
  const counts = { added: 0, updated: 0, unchanged: 0 };
  for (let after = 0; ; ) {
    const rows = await listImportedRows(ctx.db, { broadcastId, after, limit: BATCH_ROWS });
    if (rows.length === 0) break;
    after = (rows.at(-1) as ImportedRow).number;
    const batch = await saveBatch(ctx, request, rows.map(toMember));
    counts.added += batch.added;
    counts.updated += batch.updated;
    counts.unchanged += rows.length - batch.added - batch.updated;
  }
  const taken = counts.added + counts.updated + counts.unchanged;
  const imported = { ...counts, left_out: draft.rows_count - taken };
  await ctx.db.transaction(async (tx) => {
    await readLocked(tx, request);
    await recountList(tx, listId);
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'recipient_list.imported',
      object: name,
      after: { ...imported, ...(tags.length > 0 && { tags }) },
    });
  });
  return imported;
}

/** Adds the columns of the draft to the list; returns where the draft has each column of the list. */
async function prepareList(
  { db }: Pick<Context, 'db'>,
  request: ListPlace & { broadcastId: string },
  draft: DraftRows,
): Promise<{ name: string; places: (number | undefined)[] }> {
  return await db.transaction(async (tx) => {
    const list = await readLocked(tx, request);
    if (list.members + (await countNewMembers(tx, request)) > RECIPIENTS_MAX) {
      throw new Problem('too_many_rows');
    }
    const placesByName = new Map<string, number>();
    const columns = [...list.columns];
    for (const [place, column] of draft.columns.entries()) {
      // The phone and the consent are not cells of a member.
      if (place + 1 === draft.phone_column || place + 1 === draft.consent_column) continue;
      const key = column.toLowerCase();
      placesByName.set(key, place);
      if (!columns.some((known) => known.toLowerCase() === key)) columns.push(column);
    }
    // A draft made from the list has a column for the phone and one for the consent beside them.
    if (columns.length > COLUMNS_MAX - 2) throw new Problem('too_many_columns');
    await setListColumns(tx, request.listId, columns);
    const places = columns.map((column) => placesByName.get(column.toLowerCase()));
    return { name: list.name, places };
  });
}

/** Writes the members that are new or differ. */
async function saveBatch(
  { db }: Pick<Context, 'db'>,
  place: ListPlace,
  members: readonly Member[],
): Promise<{ added: number; updated: number }> {
  return await db.transaction(async (tx) => {
    await readLocked(tx, place);
    const phones = members.map(({ phone }) => phone);
    const stored = await findMembers(tx, place.listId, phones);
    const known = new Map(stored.map((member) => [member.phone, member]));
    const added = members.filter(({ phone }) => !known.has(phone));
    const updated = members.flatMap((member) => {
      const before = known.get(member.phone);
      if (before === undefined) return [];
      const after = mergeMember(before, member);
      return isSame(before, after) ? [] : [after];
    });
    const changed = [...added, ...updated];
    if (changed.length > 0) await saveMembers(tx, place, changed);
    return { added: added.length, updated: updated.length };
  });
}

export function mergeMember(before: Member, incoming: Member): Member {
  return {
    phone: before.phone,
    cells: incoming.cells.map((cell, i) => (cell === '' ? (before.cells[i] ?? '') : cell)),
    tags: [...new Set([...before.tags, ...incoming.tags])],
    has_consent: incoming.has_consent ?? before.has_consent,
  };
}

/** Cells that were missing are empty ones. */
function isSame(before: Member, after: Member): boolean {
  const known = padCells(before.cells, after.cells.length);
  return (
    after.cells.every((cell, i) => cell === known[i]) &&
    after.tags.length === before.tags.length &&
    after.has_consent === before.has_consent
  );
}
