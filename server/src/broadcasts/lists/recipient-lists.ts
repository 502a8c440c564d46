import type { RecipientList } from '@zhiber/contract/cabinet/recipient-lists.ts';
import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import { isUniqueViolation } from '../../db/sql-errors.ts';
import type { CompanyId } from '../../ids.ts';
import { maskPhone, parsePhone } from '../../phone.ts';
import { Problem } from '../../problem.ts';
import { readCursor } from '../rows/show-rows.ts';
import {
  deleteMember,
  deleteSomeMembers,
  deleteList as deleteStoredList,
  findList,
  insertList,
  listLists,
  listMembers,
  lockList,
  recountList,
  type StoredList,
  type StoredMember,
  setListName,
} from './list-store.ts';

const LISTS_MAX = 100;
const PAGE_ROWS = 50;

export type ListPlace = { companyId: CompanyId; listId: number };

export async function listRecipientLists(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
): Promise<RecipientList[]> {
  const lists = await listLists(db, companyId);
  return lists.map(({ id, name, columns, members, tags, updated_at }) => ({
    id,
    name,
    columns,
    members,
    tags: Object.entries(tags)
      .map(([tag, count]) => ({ tag, members: count }))
      .toSorted((a, b) => b.members - a.members || a.tag.localeCompare(b.tag, 'ru')),
    updated_at: updated_at.toISOString(),
  }));
}

export async function createList(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  request: { companyId: CompanyId; name: string },
): Promise<number> {
  const { companyId } = request;
  const name = request.name.trim();
  return await db
    .transaction(async (tx) => {
      const id = await insertList(tx, { companyId, name, countMax: LISTS_MAX });
      if (id === undefined) throw new Problem('too_many');
      const event = { companyId, action: 'recipient_list.created', object: name } as const;
      await recordAuditEvent(tx, actor, event);
      return id;
    })
    .catch(asDuplicateProblem);
}

export async function renameList(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  request: ListPlace & { name: string },
): Promise<void> {
  const { companyId, listId } = request;
  const name = request.name.trim();
  await db
    .transaction(async (tx) => {
      const list = await readLocked(tx, request);
      if (list.name === name) return;
      await setListName(tx, listId, name);
      await recordAuditEvent(tx, actor, {
        companyId,
        action: 'recipient_list.changed',
        object: name,
        before: { name: list.name },
        after: { name },
      });
    })
    .catch(asDuplicateProblem);
}

/** Drafts that were made from it keep their rows. */
export async function deleteList(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  place: ListPlace,
): Promise<void> {
  const { companyId, listId } = place;
  if ((await findList(db, place)) === undefined) throw new Problem('not_found');
  // In parts: a long list would take longer than one statement may.
  while ((await deleteSomeMembers(db, listId)) > 0);
  await db.transaction(async (tx) => {
    const { name, members } = await readLocked(tx, place);
    await deleteStoredList(tx, listId);
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'recipient_list.deleted',
      object: name,
      before: { members },
    });
  });
}

export async function readLocked(tx: Transaction, place: ListPlace): Promise<StoredList> {
  const list = await lockList(tx, place);
  if (list === undefined) throw new Problem('not_found');
  return list;
}

function asDuplicateProblem(error: unknown): never {
  if (isUniqueViolation(error, 'recipient_list_name')) throw new Problem('name_taken');
  throw error;
}

/** A page of members in the order in which they were added, and the cursor of the next one. */
export async function showMembers(
  { db }: Pick<Context, 'db'>,
  filter: ListPlace & { tag?: string | undefined; cursor?: string | undefined },
): Promise<{ members: StoredMember[]; next: string | null }> {
  if ((await findList(db, filter)) === undefined) throw new Problem('not_found');
  const after = readCursor(filter.cursor);
  const found = await listMembers(db, { ...filter, after, limit: PAGE_ROWS + 1 });
  const members = found.slice(0, PAGE_ROWS);
  return { members, next: found.length > PAGE_ROWS ? String(members.at(-1)?.id) : null };
}

export async function removeListMember(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { companyId, listId, phone: typed }: ListPlace & { phone: string },
): Promise<void> {
  const phone = parsePhone(typed)?.phone;
  await db.transaction(async (tx) => {
    const { name } = await readLocked(tx, { companyId, listId });
    if (phone === undefined || !(await deleteMember(tx, listId, phone))) {
      throw new Problem('not_found');
    }
    await recountList(tx, listId);
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'recipient_list.changed',
      object: name,
      before: { phone: maskPhone(phone) },
    });
  });
}
