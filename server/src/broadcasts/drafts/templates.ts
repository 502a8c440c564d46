import type { SavedTemplate } from '@zhiber/contract/cabinet/broadcast-templates.ts';
import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import type { CompanyId } from '../../ids.ts';
import { readTarget, type TargetContext } from '../../links/target.ts';
import { Problem } from '../../problem.ts';
import { findTemplates, putTemplate, removeTemplate } from './template-store.ts';

/** A longer list would be hard to read. */
const TEMPLATES_MAX = 100;

export async function listTemplates(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
): Promise<SavedTemplate[]> {
  return await findTemplates(db, companyId);
}

/** Saves a text under a name, in place of one of the same name. Returns its id. */
export async function saveTemplate(
  ctx: TargetContext & Pick<Context, 'db'>,
  actor: Actor,
  { companyId, ...template }: Omit<SavedTemplate, 'id'> & { companyId: CompanyId },
): Promise<number> {
  const url = template.url === null ? null : await readTarget(ctx, template.url);
  return await ctx.db.transaction(async (tx) => {
    const id = await putTemplate(tx, companyId, { ...template, url, countMax: TEMPLATES_MAX });
    if (id === undefined) throw new Problem('too_many');
    const { name: object } = template;
    await recordAuditEvent(tx, actor, { companyId, action: 'template.saved', object });
    return id;
  });
}

export async function deleteTemplate(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { companyId, id }: { companyId: CompanyId; id: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const object = await removeTemplate(tx, companyId, id);
    if (object === undefined) throw new Problem('not_found');
    await recordAuditEvent(tx, actor, { companyId, action: 'template.deleted', object });
  });
}
