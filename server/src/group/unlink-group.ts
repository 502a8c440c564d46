import { type Actor, recordDeed } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { deleteGroup } from './group-store.ts';

export async function unlinkGroup(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  { companyId, id }: { companyId: CompanyId; id: number },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const group = await deleteGroup(tx, companyId, id);
    if (group === undefined) throw new Problem('not_found');
    await recordDeed(tx, actor, {
      companyId,
      action: 'group.unlinked',
      object: group.name,
      before: { channel: group.channel, chat_id: group.chat_id },
    });
  });
}
