import { type Actor, recordDeed } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { setGroupName } from './group-store.ts';
import { refuseTwice } from './refuse-twice.ts';

export async function renameGroup(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  request: { companyId: CompanyId; id: number; name: string },
): Promise<void> {
  const { companyId, id } = request;
  const name = request.name.trim();
  await ctx.db
    .transaction(async (tx) => {
      const before = await setGroupName(tx, companyId, { id, name });
      if (before === undefined) throw new Problem('not_found');
      if (before === name) return;
      await recordDeed(tx, actor, {
        companyId,
        action: 'group.renamed',
        object: name,
        before: { name: before },
        after: { name },
      });
    })
    .catch(refuseTwice);
}
