import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { lockChangingLink, setLinkTarget } from './link-store.ts';
import { readTarget, type TargetContext } from './target.ts';

export type ChangeLinkRequest = {
  companyId: CompanyId;
  slug: string;
  /** What was shown to the person; the link is not changed when it leads elsewhere by now. */
  urlBefore: string;
  url: string;
  /** Undefined leaves the expiry as it is; null means no end. */
  expiresInSeconds?: number | null | undefined;
};

/**
 * Changes where a link leads, also one that was sent in a message, and until when it works. Takes
 * effect on every node within a second. A link that the operator has disabled cannot be changed.
 */
export async function changeLink(
  ctx: Pick<Context, 'db'> & TargetContext,
  actor: Actor,
  { companyId, slug, urlBefore, expiresInSeconds, ...request }: ChangeLinkRequest,
): Promise<void> {
  const url = await readTarget(ctx, request.url, 'url');
  await ctx.db.transaction(async (tx) => {
    const link = await lockChangingLink(tx, companyId, slug);
    if (link === undefined) throw new Problem('not_found');
    if (link.is_barred) throw new Problem('link_closed');
    if (link.url !== urlBefore) throw new Problem('changed_meanwhile');
    if (link.url === url && expiresInSeconds === undefined) return;
    const expiresAt = await setLinkTarget(tx, companyId, {
      slug,
      url,
      ttlSeconds: expiresInSeconds,
      personName: actor.person?.name ?? null,
    });
    const hasOtherEnd = expiresInSeconds !== undefined;
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'link.changed',
      object: `${ctx.urls.shortLinkBase}/${link.slug}`,
      before: { url: link.url, ...(hasOtherEnd && { expires_at: link.expires_at }) },
      after: { url, ...(hasOtherEnd && { expires_at: expiresAt }) },
    });
  });
}
