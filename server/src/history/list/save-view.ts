import type { MessageFilter } from '@zhiber/contract/cabinet/messages.ts';
import type { Sql } from '../../db/group-commit.ts';
import { isUniqueViolation } from '../../db/sql-errors.ts';
import { Problem } from '../../problem.ts';
import { insertView, type ViewOwner } from './view-store.ts';

const VIEWS_MAX = 50;

/** Keeps a filter under a name, which is unique for this person. Returns its id. */
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
