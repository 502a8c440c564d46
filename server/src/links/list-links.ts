import { CLICK_PARTS, type ClickPart, type ClickTop } from '@zhiber/contract/cabinet/clicks.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import {
  type ClickBucket,
  type ClickCount,
  type ClickPartRow,
  findLastClicks,
  type LastClick,
  readClickBuckets,
  readClickParts,
} from './click-store.ts';
import { type ClickRange, columnStarts, countClicks, startOf } from './count-clicks.ts';
import {
  findLink,
  type LinkPosition,
  type LinkSource,
  type LinkState,
  type StoredLink,
  scanLinks,
} from './link-list-store.ts';
import { findLinkChanges, type LinkChangeRow } from './link-store.ts';

export type ListLinksRequest = {
  companyId: CompanyId;
  cursor?: string | undefined;
  search?: string | undefined;
  state?: LinkState | undefined;
  source?: LinkSource | undefined;
  tag?: string | undefined;
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
  const { companyId, state, source, tag, range } = request;
  const search = readSearch(request.search, ctx.urls.shortLinkBase);
  const isFiltered = [search, state, source, tag].some((filter) => filter !== undefined);
  const { links, lookedUntil } = await scanLinks(ctx.db, companyId, {
    after: request.cursor === undefined ? undefined : readCursor(request.cursor),
    search,
    state,
    source,
    tag,
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

export type LinkWithClicks = ListedLink & {
  buckets: ClickBucket[];
  parts: ClickTops;
  changes: LinkChangeRow[];
};

const TOP_MAX = 8;
const CHANGES_MAX = 50;
const LAST_CLICKS = 20;

/** One link with its clicks over time and by property, and its changes. The link of another company is `not_found`. */
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
  const parts = await readClickParts(ctx.db, companyId, {
    slugKey: slug_key,
    from: query.from,
    topMax: TOP_MAX,
  });
  const changes = await findLinkChanges(ctx.db, companyId, {
    slugKey: slug_key,
    limit: CHANGES_MAX,
  });
  return { ...link, clicks, buckets, parts: toTops(parts, clicks.people + clicks.scans), changes };
}

export type ClickTops = Record<ClickPart, ClickTop>;

function toTops(rows: readonly ClickPartRow[], people: number): ClickTops {
  const topOf = (part: ClickPart): ClickTop => {
    const ofPart = rows.filter((row) => row.part === part);
    const known = ofPart.reduce((sum, row) => sum + row.people, 0);
    return {
      top: ofPart.flatMap((row) =>
        row.value === null ? [] : [{ value: row.value, people: row.people }],
      ),
      others: ofPart.find((row) => row.value === null)?.people ?? 0,
      // A click may come between the two counts.
      unknown: Math.max(0, people - known),
    };
  };
  return Object.fromEntries(CLICK_PARTS.map((part) => [part, topOf(part)])) as ClickTops;
}

/** Of which the recipient is one person. */
const PERSONAL: readonly LinkSource[] = ['otp', 'link', 'broadcast'];

/** The last clicks of a link, robots included. Their recipients are phones. */
export async function readLastClicks(
  ctx: Pick<Context, 'db'>,
  { companyId, slug }: { companyId: CompanyId; slug: string },
): Promise<LastClick[]> {
  const link = await findLink(ctx.db, companyId, slug);
  if (link === undefined) throw new Problem('not_found');
  const query = { slugKey: link.slug_key, limit: LAST_CLICKS };
  const clicks = await findLastClicks(ctx.db, companyId, query);
  if (PERSONAL.includes(link.source)) return clicks;
  return clicks.map((click) => ({ ...click, recipient: null }));
}
