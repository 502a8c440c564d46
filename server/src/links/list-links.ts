import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { type ClickBucket, type ClickCount, readClickBuckets } from './click-store.ts';
import { type ClickRange, columnStarts, countClicks, startOf } from './count-clicks.ts';
import {
  findLink,
  type LinkPosition,
  type LinkSource,
  type LinkState,
  type StoredLink,
  scanLinks,
} from './link-list-store.ts';

export type ListLinksRequest = {
  companyId: CompanyId;
  cursor?: string | undefined;
  search?: string | undefined;
  state?: LinkState | undefined;
  source?: LinkSource | undefined;
  range: ClickRange;
};

export type ListedLink = StoredLink & { clicks: ClickCount };
export type LinkPage = {
  links: ListedLink[];
  next: string | null;
  /** Set when matches are rare and the search stopped here to answer in time. */
  searchedUntil: Date | null;
};

const PAGE_LINKS = 50;
/** Links scanned by one search; each takes a few microseconds. */
const SEARCHED_MAX = 20_000;

/** A company's links, newest first, with their clicks. */
export async function listLinks(
  ctx: Pick<Context, 'db' | 'urls' | 'clock'>,
  request: ListLinksRequest,
): Promise<LinkPage> {
  const { companyId, state, source, range } = request;
  const search = readSearch(request.search, ctx.urls.shortLinkBase);
  const isFiltered = search !== undefined || state !== undefined || source !== undefined;
  const { links, lookedUntil } = await scanLinks(ctx.db, companyId, {
    after: request.cursor === undefined ? undefined : readCursor(request.cursor),
    search,
    state,
    source,
    lookedMax: isFiltered ? SEARCHED_MAX : PAGE_LINKS + 1,
    foundMax: PAGE_LINKS + 1,
  });
  const shown = links.slice(0, PAGE_LINKS);
  const names = shown.map((link) => link.slug_key);
  const from = startOf(range, ctx.clock.now());
  const counts = await countClicks(ctx.db, companyId, { names, from });
  const page = shown.map((link) => ({ ...link, clicks: counts.get(link.slug_key) as ClickCount }));

  if (links.length > PAGE_LINKS) {
    return {
      links: page,
      next: toCursor(shown.at(-1)?.place as LinkPosition),
      searchedUntil: null,
    };
  }
  if (lookedUntil === undefined) return { links: page, next: null, searchedUntil: null };
  return { links: page, next: toCursor(lookedUntil), searchedUntil: lookedUntil.at };
}

/** A pasted short link is searched by its name. */
function readSearch(text: string | undefined, shortLinkBase: string): string | undefined {
  const wanted = text?.trim().toLowerCase() ?? '';
  const base = `${shortLinkBase.toLowerCase()}/`;
  const name = wanted.startsWith(base) ? wanted.slice(base.length) : wanted;
  return name === '' ? undefined : name;
}

function toCursor({ createdUs, slugKey }: LinkPosition): string {
  return `${createdUs}.${slugKey}`;
}

function readCursor(text: string): LinkPosition {
  const [, createdUs, slugKey] = /^(\d{1,17})\.([a-z0-9_-]{1,64})$/.exec(text) ?? [];
  if (createdUs === undefined || slugKey === undefined) {
    throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
  }
  return { createdUs, slugKey };
}

export type LinkWithClicks = StoredLink & { clicks: ClickCount; buckets: ClickBucket[] };

/** One link with its clicks over time. The link of another company is `not_found`. */
export async function readLink(
  ctx: Pick<Context, 'db' | 'clock'>,
  { companyId, slug, range }: { companyId: CompanyId; slug: string; range: ClickRange },
): Promise<LinkWithClicks> {
  const link = await findLink(ctx.db, companyId, slug);
  if (link === undefined) throw new Problem('not_found');
  const { slug_key } = link;
  const now = ctx.clock.now();
  const query = { names: [slug_key], from: startOf(range, now) };
  const counts = await countClicks(ctx.db, companyId, query);
  const clicks = counts.get(slug_key) as ClickCount;
  // A reused name keeps the clicks of its earlier link.
  const since =
    clicks.first_at !== null && clicks.first_at < link.created_at
      ? clicks.first_at
      : link.created_at;
  const starts = columnStarts(range, { since, now });
  const buckets = await readClickBuckets(ctx.db, companyId, { slugKey: slug_key, starts });
  return { ...link, clicks, buckets };
}
