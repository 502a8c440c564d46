import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { findTags, setLinkTags } from './link-store.ts';

/** Replaces the tags of a link. */
export async function tagLink(
  ctx: Pick<Context, 'db' | 'urls'>,
  actor: Actor,
  { companyId, slug, tags }: { companyId: CompanyId; slug: string; tags: readonly string[] },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const after = cleanTags(tags);
    const link = await setLinkTags(tx, companyId, { slug, tags: after });
    if (link === undefined) throw new Problem('not_found');
    const before = link.before ?? [];
    if (before.join('\n') === after.join('\n')) return;
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'link.tagged',
      object: `${ctx.urls.shortLinkBase}/${link.slug}`,
      before: { tags: before },
      after: { tags: after },
    });
  });
}

/** Each once, whatever its case; the first spelling stays. */
export function cleanTags(tags: readonly string[]): string[] {
  const cleaned = new Map<string, string>();
  for (const tag of tags) {
    const plain = tag.trim().replaceAll(/\s+/g, ' ');
    if (!cleaned.has(plain.toLowerCase())) cleaned.set(plain.toLowerCase(), plain);
  }
  return [...cleaned.values()];
}

const TAGGED_LINKS_MAX = 5_000;
const TAGS_MAX = 100;

/** The tags that the company uses, for filters and suggestions. */
export async function listTags(ctx: Pick<Context, 'db'>, companyId: CompanyId): Promise<string[]> {
  return await findTags(ctx.db, companyId, { linksMax: TAGGED_LINKS_MAX, tagsMax: TAGS_MAX });
}
