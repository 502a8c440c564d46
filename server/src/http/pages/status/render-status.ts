import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import type { StatusSnapshot } from '@zhiber/contract/pages/status.ts';
import { createView, type Site } from '../layout.ts';
import type { WebBuild } from '../web-build.ts';
import { statusBadge } from './status-badge.ts';
import { statusFeed } from './status-feed.ts';
import { type StatusNow, statusPage } from './status-page.ts';
import { statusSummary } from './status-summary.ts';

export const STATUS_DOCUMENTS = ['page', 'feed', 'summary', 'badge'] as const;
export type StatusDocument = (typeof STATUS_DOCUMENTS)[number];

export const STATUS_PATHS = {
  '/status': 'page',
  '/status/history.atom': 'feed',
  '/status/summary.json': 'summary',
  '/status/badge.svg': 'badge',
} as const satisfies Record<string, StatusDocument>;

const NO_CACHE = { 'cache-control': 'no-cache' };
/** For widgets on other sites. A picture of ours may stand in any page. */
const FOR_EVERYBODY = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The headers of each; those of the page itself are the usual ones of pages. */
export const STATUS_HEADERS = {
  page: {},
  feed: { ...NO_CACHE, 'content-type': 'application/atom+xml; charset=utf-8' },
  summary: {
    ...NO_CACHE,
    ...FOR_EVERYBODY,
    'content-type': 'application/json; charset=utf-8',
  },
  badge: {
    ...NO_CACHE,
    ...FOR_EVERYBODY,
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'",
  },
} as const satisfies Record<StatusDocument, Readonly<Record<string, string>>>;

export function renderStatus(
  document: StatusDocument,
  shown: StatusNow,
  { build, lang, site }: { build: WebBuild; lang: Lang; site?: Site | undefined },
): string {
  const { snapshot } = shown;
  const texts = build.texts[lang].status;
  switch (document) {
    case 'page':
      return statusPage(
        { ...createView(build, lang, snapshot.isSandbox), ...(site && { site }) },
        shown,
      );
    case 'feed':
      return statusFeed(snapshot, lang, texts);
    case 'summary':
      return `${JSON.stringify(statusSummary(shown, lang, texts), null, 2)}\n`;
    case 'badge':
      return statusBadge(snapshot, texts);
  }
}

/** Everything as files, for a web server that shows them while the service is down. */
export function statusFiles(snapshot: StatusSnapshot, build: WebBuild): Map<string, string> {
  const shown = { snapshot, now: new Date(snapshot.at) };
  const files = new Map<string, string>();
  for (const lang of LANGS) {
    files.set(`index.${lang}.html`, renderStatus('page', shown, { build, lang }));
    files.set(`badge.${lang}.svg`, renderStatus('badge', shown, { build, lang }));
    files.set(`history.${lang}.atom`, renderStatus('feed', shown, { build, lang }));
  }
  files.set('summary.json', renderStatus('summary', shown, { build, lang: 'ru' }));
  return files;
}
