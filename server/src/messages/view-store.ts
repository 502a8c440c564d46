import type { MessageFilter, SavedView } from '@zhiber/contract/cabinet/messages.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';

/** Saved views belong to one person in one company. */
export type ViewOwner = { companyId: CompanyId; personId: PersonId };

export async function listViews(sql: Sql, owner: ViewOwner): Promise<SavedView[]> {
  return await sql.query<SavedView>(
    `select id, name, filter from message_view where company_id = $1 and person_id = $2
     order by lower(name), id`,
    [owner.companyId, owner.personId],
  );
}

/** Undefined when the person has `countMax` views already. A taken name fails on its constraint. */
export async function insertView(
  sql: Sql,
  owner: ViewOwner,
  view: { name: string; filter: MessageFilter; countMax: number },
): Promise<number | undefined> {
  const rows = await sql.query<{ id: number }>(
    `insert into message_view (company_id, person_id, name, filter)
     select $1, $2, $3, $4
     where (select count(*) from message_view where company_id = $1 and person_id = $2) < $5
     returning id`,
    [owner.companyId, owner.personId, view.name, JSON.stringify(view.filter), view.countMax],
  );
  return rows[0]?.id;
}

/** False when this person has no such view. */
export async function removeView(sql: Sql, owner: ViewOwner, id: number): Promise<boolean> {
  const rows = await sql.query(
    `delete from message_view where company_id = $1 and person_id = $2 and id = $3 returning id`,
    [owner.companyId, owner.personId, id],
  );
  return rows.length === 1;
}
