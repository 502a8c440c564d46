import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { ERROR_CODES } from '@zhiber/contract/api/errors.ts';

/** Pages of the site outside of the documentation that a page may link to. */
const SITE_PAGES = ['/', '/try', '/pricing', '/changelog', '/status', '/terms', '/privacy'];
const SITE_FOLDERS = ['/app', '/admin', '/api/openapi.json', '/llms', '/login', '/signup', '/sdk'];

/** The anchors of the reference: its operations by path. */
const REFERENCE_ANCHORS = Object.values(ENDPOINTS).map(({ path }) =>
  path.slice(1).replaceAll('/', '-'),
);

export type LinkTargets = {
  /** The anchors of every page by its slug. */
  anchors: ReadonlyMap<string, readonly string[]>;
  /** Slugs that will be pages, though nobody has written them yet. */
  promised: readonly string[];
};

/** What is wrong with a link of the page `slug`; undefined when it leads somewhere. */
export function findBrokenLink(
  link: string,
  slug: string,
  { anchors, promised }: LinkTargets,
): string | undefined {
  const href = link.replace(/^\{\{siteUrl\}\}/, '');
  if (/^(?:https?:|mailto:|tel:|\{\{)/.test(href)) return undefined;
  const [path = '', anchor] = href.split('#');
  if (path === '') return hasAnchor(anchors.get(slug), anchor) ? undefined : noAnchor(link);
  if (!path.startsWith('/')) return `the link "${link}" should begin with / or https:`;
  const page = /^\/docs(?:\/([\w-]+))?(?:\.md)?$/.exec(path);
  if (page === null) return isOther(path) ? undefined : `the link "${link}" leads nowhere`;
  const target = page[1] ?? 'index';
  if (target === 'api' && anchor !== undefined) {
    return REFERENCE_ANCHORS.includes(anchor) ? undefined : noAnchor(link);
  }
  const known = anchors.get(target);
  if (known === undefined) {
    return promised.includes(target) ? undefined : `the link "${link}" leads nowhere`;
  }
  return hasAnchor(known, anchor) ? undefined : noAnchor(link);
}

function noAnchor(link: string): string {
  return `the link "${link}" leads to no heading`;
}

function hasAnchor(anchors: readonly string[] | undefined, anchor: string | undefined): boolean {
  return anchor === undefined || (anchors?.includes(anchor) ?? false);
}

function isOther(path: string): boolean {
  const code = /^\/docs\/errors\/([\w-]+)(?:\.md)?$/.exec(path)?.[1];
  if (code !== undefined) return (ERROR_CODES as readonly string[]).includes(code);
  if (['/docs/api/console', '/docs/search'].includes(path)) return true;
  return SITE_PAGES.includes(path) || SITE_FOLDERS.some((folder) => path.startsWith(folder));
}
