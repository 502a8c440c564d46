import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { type ClickRange, columnStarts, startOf } from './clicks/click-range.ts';
import { type ClickBucket, type ClickCount, readClickBuckets } from './clicks/click-store.ts';
import { countClicks } from './clicks/count-clicks.ts';
import { findLink, type StoredLink } from './link-list-store.ts';

export type LinkStory = StoredLink & { clicks: ClickCount; buckets: ClickBucket[] };

/** One link with its clicks over time. Somebody else's is as unknown as none. */
export async function readLink(
  ctx: Pick<Context, 'db' | 'clock'>,
  { companyId, slug, range }: { companyId: CompanyId; slug: string; range: ClickRange },
): Promise<LinkStory> {
  const link = await findLink(ctx.db, companyId, slug);
  if (link === undefined) throw new Problem('not_found');
  const { folded } = link;
  const now = ctx.clock.now();
  const asked = { names: [folded], from: startOf(range, now) };
  const counts = await countClicks(ctx.db, companyId, asked);
  const clicks = counts.get(folded) as ClickCount;
  // A name that was taken again keeps the clicks of its first life.
  const since =
    clicks.first_at !== null && clicks.first_at < link.created_at
      ? clicks.first_at
      : link.created_at;
  const starts = columnStarts(range, { since, now });
  const buckets = await readClickBuckets(ctx.db, companyId, { folded, starts });
  return { ...link, clicks, buckets };
}
