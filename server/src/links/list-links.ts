import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { type ClickRange, startOf } from './clicks/click-range.ts';
import type { ClickCount } from './clicks/click-store.ts';
import { countClicks } from './clicks/count-clicks.ts';
import {
  type LinkPlace,
  type LinkSource,
  type LinkState,
  lookForLinks,
  type StoredLink,
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
  /** Rare matches: the search stopped here to answer in time. */
  searchedUntil: Date | null;
};

const PAGE_LINKS = 50;
/** Looked at in one search; each takes a few microseconds. */
const SEARCHED_MAX = 20_000;

/** A company's links, newest first, with their clicks. */
export async function listLinks(
  ctx: Pick<Context, 'db' | 'urls' | 'clock'>,
  request: ListLinksRequest,
): Promise<LinkPage> {
  const { companyId, state, source, range } = request;
  const search = readSearch(request.search, ctx.urls.shortLinkBase);
  const isFiltered = search !== undefined || state !== undefined || source !== undefined;
  const { links, lookedUntil } = await lookForLinks(ctx.db, companyId, {
    after: request.cursor === undefined ? undefined : readCursor(request.cursor),
    search,
    state,
    source,
    lookedMax: isFiltered ? SEARCHED_MAX : PAGE_LINKS + 1,
    foundMax: PAGE_LINKS + 1,
  });
  const shown = links.slice(0, PAGE_LINKS);
  const names = shown.map((link) => link.folded);
  const from = startOf(range, ctx.clock.now());
  const counts = await countClicks(ctx.db, companyId, { names, from });
  const page = shown.map((link) => ({ ...link, clicks: counts.get(link.folded) as ClickCount }));

  if (links.length > PAGE_LINKS) {
    return { links: page, next: toCursor(shown.at(-1)?.place as LinkPlace), searchedUntil: null };
  }
  if (lookedUntil === undefined) return { links: page, next: null, searchedUntil: null };
  return { links: page, next: toCursor(lookedUntil), searchedUntil: lookedUntil.at };
}

/** Whoever pastes the whole short link means its name. */
function readSearch(text: string | undefined, shortLinkBase: string): string | undefined {
  const wanted = text?.trim().toLowerCase() ?? '';
  const base = `${shortLinkBase.toLowerCase()}/`;
  const name = wanted.startsWith(base) ? wanted.slice(base.length) : wanted;
  return name === '' ? undefined : name;
}

function toCursor({ createdUs, folded }: LinkPlace): string {
  return `${createdUs}.${folded}`;
}

function readCursor(text: string): LinkPlace {
  const [, createdUs, folded] = /^(\d{1,17})\.([a-z0-9_-]{1,64})$/.exec(text) ?? [];
  if (createdUs === undefined || folded === undefined) {
    throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
  }
  return { createdUs, folded };
}
