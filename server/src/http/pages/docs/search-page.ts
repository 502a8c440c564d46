import type { Lang } from '@zhiber/contract/languages.ts';
import type { DocsBuild, SearchEntry } from '@zhiber/contract/pages/docs.ts';
import { type SearchResult, searchDocs } from '@zhiber/contract/pages/docs-search.ts';
import { type Html, html } from '../html.ts';
import { localHref, type View } from '../layout.ts';
import type { WebBuild } from '../web-build.ts';
import { renderDocsPage } from './docs-frame.ts';

const RESULTS_MAX = 30;
/** A longer query is cut: nobody types one. */
const QUERY_LENGTH_MAX = 100;

/** `/docs/search?q=`: the same results as the script shows, for a browser without it. */
export function searchPage(
  view: View,
  docs: DocsBuild,
  { entries, asked }: { entries: readonly SearchEntry[]; asked: string },
): string {
  const words = view.texts.docs.search;
  const query = asked.slice(0, QUERY_LENGTH_MAX);
  const results = searchDocs(entries, query, RESULTS_MAX);
  return renderDocsPage(view, docs, {
    title: words.pageTitle,
    description: words.label,
    body: resultList(view, query, results),
    isIndexed: false,
    query: new URLSearchParams({ q: query }),
    searched: query,
  });
}

function resultList({ lang, texts }: View, query: string, results: readonly SearchResult[]): Html {
  const { empty, nothing, found } = texts.docs.search;
  if (query.trim() === '') return html`<p class="lead">${empty}</p>`;
  if (results.length === 0) return html`<p class="lead">${nothing}</p>`;
  const items = results.map(({ entry, excerpt }) => {
    const [path = '', anchor] = entry.url.split('#');
    const href = `${localHref(path, lang)}${anchor === undefined ? '' : `#${anchor}`}`;
    const parts = excerpt.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text));
    return html`<li><a href="${href}">${entry.heading || entry.page}</a>
${entry.heading !== '' && html`<small>${entry.page}</small>`}<p>${parts}</p></li>`;
  });
  return html`<p class="lead">${found} ${results.length}</p><ol class="docs-results">${items}</ol>`;
}

/** The search index of each language, read from the build when somebody first searches. */
export function createSearchIndex(build: WebBuild): (lang: Lang) => readonly SearchEntry[] {
  const byLang = new Map<Lang, readonly SearchEntry[]>();
  return (lang) => {
    const known = byLang.get(lang);
    if (known !== undefined) return known;
    const file = build.assets.get(build.readDocs().searchIndex[lang]);
    const entries = JSON.parse(String(file?.body ?? '[]')) as SearchEntry[];
    byLang.set(lang, entries);
    return entries;
  };
}
