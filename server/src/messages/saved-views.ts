import type { MessageFilter, SavedView } from '@zhiber/contract/cabinet/messages.ts';
import type { Sql } from '../db/sql.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { Problem } from '../problem.ts';
import { insertView, listViews, removeView, type ViewOwner } from './view-store.ts';

const VIEWS_MAX = 50;

/** Saves a filter under a name that is unique for this person. Returns its id. */
export async function saveView(
  sql: Sql,
  owner: ViewOwner,
  view: { name: string; filter: MessageFilter },
): Promise<number> {
  const name = view.name.trim();
  try {
    const id = await insertView(sql, owner, { name, filter: view.filter, countMax: VIEWS_MAX });
    if (id !== undefined) return id;
  } catch (error) {
    if (isUniqueViolation(error, 'message_view_company_id_person_id_name_key')) {
      throw new Problem('name_taken');
    }
    throw error;
  }
  throw new Problem('too_many');
}

export async function listOwnViews(sql: Sql, owner: ViewOwner): Promise<SavedView[]> {
  return await listViews(sql, owner);
}

export async function deleteView(sql: Sql, owner: ViewOwner, id: number): Promise<void> {
  if (!(await removeView(sql, owner, id))) throw new Problem('not_found');
}
