import type { Lang } from '@zhiber/contract/languages.ts';
import type { DocsBuild, DocsHeading } from '@zhiber/contract/pages/docs.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { type Html, type HtmlPart, html } from '../html.ts';
import { localHref, renderPage, type View } from '../layout.ts';

/** A page of the documentation, without what stands around every one. */
export type FramedPage = {
  /** Its place in the navigation; undefined for a page that is not there itself. */
  slug?: string | undefined;
  title: string;
  /** Another form of the title, where the plain one is not enough. */
  heading?: Html;
  description: string;
  /** Below the title. */
  lead?: HtmlPart;
  /** Between the navigation and the page: `/docs/errors` for one of its codes. */
  parent?: { title: string; path: string };
  headings?: readonly DocsHeading[];
  /** Takes the column of the headings, too: they are listed under the page in the navigation. */
  isWide?: boolean;
  body: Html;
  /** The path of the same page in Markdown. */
  markdownPath?: string;
  isIndexed: boolean;
  scripts?: readonly string[];
  query?: URLSearchParams;
  /** The words that were searched for. */
  searched?: string;
};

type Entry = { slug: string; title: string; path: string };

export function pathOf(slug: string): string {
  return slug === 'index' ? '/docs' : `/docs/${slug}`;
}

/** The pages that exist in a language, in the order of the navigation. */
export function listPages(
  docs: DocsBuild,
  lang: Lang,
  texts: PublicTexts,
): { title: string; entries: Entry[] }[] {
  const titles: Record<string, string> = {
    api: texts.docs.reference.title,
    errors: texts.errorPages.listTitle,
  };
  return docs.navigation
    .map((group) => ({
      title: group.titles[lang],
      entries: group.slugs.flatMap((slug) => {
        const title = docs.pages[lang][slug]?.title ?? titles[slug];
        return title === undefined ? [] : [{ slug, title, path: pathOf(slug) }];
      }),
    }))
    .filter((group) => group.entries.length > 0);
}

/** The whole document: navigation, search, the page, its headings and its neighbours. */
export function renderDocsPage(view: View, docs: DocsBuild, page: FramedPage): string {
  const { lang } = view;
  const texts = view.texts.docs;
  const groups = listPages(docs, lang, view.texts);
  const { isWide = false } = page;
  const headings = page.headings?.filter(({ level }) => level <= 3) ?? [];
  const navigation = groups.map((group) =>
    navigationGroup(view, group, { slug: page.slug, headings: isWide ? headings : [] }),
  );
  const body = html`<a class="skip" href="#docs-text">${texts.skip}</a>
<div class="docs${isWide && ' docs-wide'}">
<div class="docs-bar">
${searchForm(view, docs, page.searched)}
<details class="docs-menu"><summary>${texts.menu}</summary><nav aria-label="${texts.navigation}">${navigation}</nav></details>
</div>
<nav class="docs-nav" aria-label="${texts.navigation}">${navigation}</nav>
<article class="docs-text" id="docs-text" tabindex="-1">
${breadcrumb(view, groups, page)}
<h1>${page.heading ?? page.title}</h1>
${page.lead !== undefined && html`<p class="lead">${page.lead}</p>`}
${page.markdownPath !== undefined && pageActions(view, page.markdownPath)}
${page.body}
${neighbours(view, groups, page.slug)}
</article>
${!isWide && headings.length > 1 && onThisPage(view, headings)}
</div>`;
  return renderPage(view, {
    title: `${page.title} · Zhiber`,
    description: page.description,
    body,
    shell: 'site',
    isIndexed: page.isIndexed,
    scripts: ['pages', 'docs', ...(page.scripts ?? [])],
    ...(page.query !== undefined && { query: page.query }),
    ...(page.markdownPath !== undefined && {
      feeds: [
        { href: localHref(page.markdownPath, lang), type: 'text/markdown', title: page.title },
      ],
    }),
  });
}

function searchForm({ lang, texts }: View, docs: DocsBuild, searched = ''): Html {
  const { label, placeholder, submit, results, found, nothing, failed } = texts.docs.search;
  return html`<form class="docs-search" role="search" action="/docs/search" data-index="${docs.searchIndex[lang]}" data-found="${found}" data-nothing="${nothing}" data-failed="${failed}" data-results="${results}">
<input type="hidden" name="lang" value="${lang}">
<label class="visually-hidden" for="docs-search">${label}</label>
<span class="docs-search-field"><input id="docs-search" type="search" name="q" value="${searched}" placeholder="${placeholder}" autocomplete="off" spellcheck="false" enterkeyhint="search" maxlength="100"><kbd aria-hidden="true">/</kbd></span>
<button class="button" type="submit">${submit}</button>
</form>`;
}

function navigationGroup(
  { lang }: View,
  group: { title: string; entries: readonly Entry[] },
  current: { slug: string | undefined; headings: readonly DocsHeading[] },
): Html {
  const sections = current.headings.map(
    ({ id, text }) => html`<li><a href="#${id}" translate="no">${text}</a></li>`,
  );
  const links = group.entries.map(({ slug, title, path }) => {
    const isCurrent = slug === current.slug;
    return html`<li><a href="${localHref(path, lang)}"${isCurrent && html` aria-current="page"`}>${title}</a>
${isCurrent && sections.length > 0 && html`<ul class="docs-sections">${sections}</ul>`}</li>`;
  });
  return html`<p class="docs-group">${group.title}</p><ul>${links}</ul>`;
}

function breadcrumb(
  { lang, texts }: View,
  groups: readonly { title: string; entries: readonly Entry[] }[],
  page: FramedPage,
): Html | false {
  if (page.slug === 'index') return false;
  const group = groups.find(({ entries }) => entries.some(({ slug }) => slug === page.slug));
  return html`<nav class="docs-crumbs" aria-label="${texts.docs.breadcrumb}"><ol>
<li><a href="${localHref('/docs', lang)}">${texts.docs.title}</a></li>
${group !== undefined && html`<li>${group.title}</li>`}
${page.parent !== undefined && html`<li><a href="${localHref(page.parent.path, lang)}">${page.parent.title}</a></li>`}
</ol></nav>`;
}

function pageActions({ lang, texts }: View, markdownPath: string): Html {
  const { copyMarkdown, markdownCopied, markdownNotCopied, viewMarkdown } = texts.docs;
  const address = localHref(markdownPath, lang);
  return html`<p class="docs-actions"><a href="${address}">${viewMarkdown}</a>
<button type="button" class="button" hidden data-copy-page="${address}" data-copied="${markdownCopied}" data-failed="${markdownNotCopied}"><span aria-live="polite">${copyMarkdown}</span></button></p>`;
}

function onThisPage({ texts }: View, headings: readonly DocsHeading[]): Html {
  const links = headings.map(
    ({ id, level, text }) =>
      html`<li${level === 3 && html` class="deeper"`}><a href="#${id}">${text}</a></li>`,
  );
  return html`<nav class="docs-toc" aria-labelledby="docs-toc"><p id="docs-toc" class="docs-group">${texts.docs.onThisPage}</p><ul>${links}</ul></nav>`;
}

function neighbours(
  { lang, texts }: View,
  groups: readonly { entries: readonly Entry[] }[],
  slug: string | undefined,
): Html | false {
  const entries = groups.flatMap((group) => group.entries);
  const index = entries.findIndex((entry) => entry.slug === slug);
  if (index < 0) return false;
  const link = (entry: Entry | undefined, rel: 'prev' | 'next', label: string) =>
    entry !== undefined &&
    html`<a class="${rel}" rel="${rel}" href="${localHref(entry.path, lang)}"><small>${label}</small>${entry.title}</a>`;
  return html`<nav class="docs-neighbours" aria-label="${texts.docs.neighbours}">
${link(entries[index - 1], 'prev', texts.docs.previous)}
${link(entries[index + 1], 'next', texts.docs.next)}
</nav>`;
}
