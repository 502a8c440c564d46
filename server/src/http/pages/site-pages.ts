import { ERROR_CODES } from '@zhiber/contract/api/errors.ts';
import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import { listPages, pathOf } from './docs/docs-frame.ts';
import { editDistance } from './edit-distance.ts';
import type { Site, View } from './layout.ts';

/** A public page, with its title in the language of the reader. */
export type SitePage = { path: string; title: string };

/** The paths of all public pages that search engines may show. */
export function listSitePaths(
  site: Pick<Site, 'hasTerms' | 'hasPrivacy'>,
  docs: DocsBuild | undefined,
): string[] {
  return [
    '/',
    ...(docs?.navigation ?? []).flatMap(({ slugs }) => slugs.map(pathOf)),
    ...ERROR_CODES.map((code) => `/docs/errors/${code}`),
    '/pricing',
    '/status',
    '/changelog',
    ...(site.hasTerms ? ['/terms'] : []),
    ...(site.hasPrivacy ? ['/privacy'] : []),
  ];
}

/** What somebody who mistyped an address may have meant. */
export function listSitePages({ lang, texts, isSandbox, site }: View, docs: DocsBuild): SitePage[] {
  const { layout, legal } = texts;
  return [
    ...listPages(docs, lang, texts).flatMap(({ entries }) => entries),
    { path: '/pricing', title: layout.pricing },
    { path: '/status', title: layout.status },
    { path: '/changelog', title: layout.changelog },
    ...(isSandbox ? [{ path: '/try', title: layout.tryIt }] : []),
    ...(site?.hasTerms ? [{ path: '/terms', title: legal.terms }] : []),
    ...(site?.hasPrivacy ? [{ path: '/privacy', title: legal.privacy }] : []),
    { path: '/app', title: layout.cabinet },
    ...ERROR_CODES.map((code) => ({ path: `/docs/errors/${code}`, title: code })),
  ];
}

/** One wrong letter in three is a typing mistake; more is another word. */
const LETTERS_PER_MISTAKE = 3;
const SUGGESTIONS_MAX = 3;
/** Longer addresses were not typed by a person. */
const PATH_LENGTH_MAX = 80;

/** Other words for our pages, as people guess them. */
const GUESSES: Readonly<Record<string, string>> = {
  prices: '/pricing',
  tariffs: '/pricing',
  changes: '/changelog',
  releases: '/changelog',
  news: '/changelog',
  documentation: '/docs',
  api: '/docs',
  reference: '/docs',
  error: '/docs/errors',
  errors: '/docs/errors',
  uptime: '/status',
  cabinet: '/app',
  dashboard: '/app',
  console: '/app',
  playground: '/try',
  sandbox: '/try',
  demo: '/try',
  policy: '/privacy',
  offer: '/terms',
};

/** The pages whose addresses are nearest to one that leads nowhere, the nearest first. */
export function suggestPages<Page extends SitePage>(path: string, pages: readonly Page[]): Page[] {
  if (path.length > PATH_LENGTH_MAX) return [];
  const asked = wordsOf(path);
  const last = asked.at(-1);
  if (last === undefined) return [];
  const guessed = pages.filter((page) => page.path === GUESSES[last]);
  const near = pages
    .map((page) => ({ page, distance: distanceTo(asked, page.path) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((left, right) => (left.distance ?? 0) - (right.distance ?? 0))
    .map(({ page }) => page);
  return [...new Set([...guessed, ...near])].slice(0, SUGGESTIONS_MAX);
}

/** How many letters differ: of the whole path, or of its last word alone. */
function distanceTo(asked: readonly string[], path: string): number | undefined {
  const words = wordsOf(path);
  const pairs: [string, string][] = [
    [asked.join('/'), words.join('/')],
    [asked.at(-1) ?? '', words.at(-1) ?? ''],
  ];
  const distances = pairs
    .filter(([left, right]) => left !== '' && right !== '')
    .map(([left, right]) => ({
      distance: editDistance(left, right),
      allowed: Math.max(1, Math.floor(Math.max(left.length, right.length) / LETTERS_PER_MISTAKE)),
    }))
    .filter(({ distance, allowed }) => distance <= allowed)
    .map(({ distance }) => distance);
  return distances.length === 0 ? undefined : Math.min(...distances);
}

/** In lower case, with one spelling of the dashes, and without an ending such as `.html`. */
function wordsOf(path: string): string[] {
  return path
    .toLowerCase()
    .replace(/\.[a-z]{2,5}$/, '')
    .replaceAll('-', '_')
    .split('/')
    .filter((word) => word !== '');
}
