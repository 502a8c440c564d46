import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { lockLink, setLinkOn } from './link-store.ts';

/**
 * Disables or enables a link. One that has expired, or that the operator has disabled, cannot be
 * enabled. Takes effect on every node within a second.
 */
export async function switchLink(
  ctx: Pick<Context, 'db' | 'urls'>,
  actor: Actor,
  { companyId, slug, isOn }: { companyId: CompanyId; slug: string; isOn: boolean },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const link = await lockLink(tx, companyId, slug);
    if (link === undefined) throw new Problem('not_found');
    if (isOn && !link.can_be_on) throw new Problem('link_closed');
    if (link.is_on === isOn) return;
    await setLinkOn(tx, companyId, { slug, isOn });
    await recordAuditEvent(tx, actor, {
      companyId,
      action: isOn ? 'link.enabled' : 'link.disabled',
      object: `${ctx.urls.shortLinkBase}/${link.slug}`,
    });
  });
}
