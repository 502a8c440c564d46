import type { SavedTemplate } from '@zhiber/contract/cabinet/broadcast-templates.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import type { CompanyId } from '../../ids.ts';

export async function findTemplates(sql: Sql, companyId: CompanyId): Promise<SavedTemplate[]> {
  return await sql.query<SavedTemplate>(
    `select id, name, text, url from broadcast_template where company_id = $1 order by lower(name), id`,
    [companyId],
  );
}

/**
 * Replaces a template of the same name, in any case. Undefined when the company has `countMax` others
 * already.
 */
export async function putTemplate(
  tx: Transaction,
  companyId: CompanyId,
  template: Omit<SavedTemplate, 'id'> & { countMax: number },
): Promise<number | undefined> {
  const rows = await tx.query<{ id: number }>(
    `insert into broadcast_template as t (company_id, name, text, url)
     select $1, $2, $3, $4
     where (select count(*) from broadcast_template where company_id = $1 and lower(name) <> lower($2)) < $5
     on conflict (company_id, lower(name)) do update
       set name = excluded.name, text = excluded.text, url = excluded.url
     returning id`,
    [companyId, template.name, template.text, template.url, template.countMax],
  );
  return rows[0]?.id;
}

/** The name of what was removed; undefined when the company has no such template. */
export async function removeTemplate(
  tx: Transaction,
  companyId: CompanyId,
  id: number,
): Promise<string | undefined> {
  const rows = await tx.query<{ name: string }>(
    'delete from broadcast_template where company_id = $1 and id = $2 returning name',
    [companyId, id],
  );
  return rows[0]?.name;
}
