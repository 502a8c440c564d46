import { LANG_TITLES, LANGS, type Lang } from '@zhiber/contract/languages.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { type Html, html } from './html.ts';
import { entryAssets, type PageAssets, type WebBuild } from './web-build.ts';

/** What every rendered page needs to know about its reader and its place. */
export type View = {
  lang: Lang;
  texts: PublicTexts;
  assets: PageAssets;
  isSandbox: boolean;
};

export function createView(build: WebBuild, lang: Lang, isSandbox: boolean): View {
  return { lang, texts: build.texts[lang], assets: build.pageAssets, isSandbox };
}

export type Page = {
  title: string;
  /** One or two sentences for search engines and previews. */
  description?: string;
  body: Html;
  /**
   * `site` has the navigation; `bare` is for people who followed a short link and know nothing of
   * us.
   */
  shell: 'site' | 'bare';
  isIndexed: boolean;
  /**
   * Entries of `web/build/public-entries.ts` by name, `pages` alone when absent. An empty list is a
   * page without script.
   */
  scripts?: readonly string[];
  /** What the language switch keeps of the address. */
  query?: URLSearchParams;
  /** Other forms of the page, for programs that look for them. */
  feeds?: readonly { href: string; type: string; title: string }[];
};

/** It stands beside a word, so screen readers skip it. */
const COPY_ICON = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M7 7h9v9H7zM4 13V4h9"/></svg>`;

const STYLES_ENTRY = 'pages';

/** The whole document around a page's body. */
export function renderPage(view: View, page: Page): string {
  const { assets, lang, texts } = view;
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${!page.isIndexed && html`<meta name="robots" content="noindex">`}
<title>${page.title}</title>
${page.description !== undefined && html`<meta name="description" content="${page.description}">`}
${page.feeds?.map(({ href, type, title }) => html`<link rel="alternate" type="${type}" title="${title}" href="${href}">\n`)}
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
${assetLinks(assets, page.shell === 'site' ? (page.scripts ?? [STYLES_ENTRY]) : [])}
</head>
<body>
<a class="skip" href="#content">${texts.layout.skip}</a>
${header(view, page)}
<main id="content" tabindex="-1">
${page.body}
</main>
</body>
</html>
`.markup;
}

/** An address on this site in the same language. */
export function localHref(path: string, lang: Lang): string {
  return `${path}?lang=${lang}`;
}

/** A block of code with a copy button. */
export function codeBlock(
  { texts }: View,
  block: { id: string; label: string; code: string | Html },
): Html {
  const { copy, copied } = texts.layout;
  return html`<figure class="code">
<figcaption class="code-head"><span>${block.label}</span>
<button type="button" class="button" data-copy="${block.id}" data-copied="${copied}">${COPY_ICON}<span>${copy}</span></button></figcaption>
<pre id="${block.id}" lang="en" translate="no"><code>${block.code}</code></pre>
</figure>`;
}

/** The styles of `pages` are those of every page; each script loads its own, too. */
function assetLinks(assets: PageAssets, scripts: readonly string[]): Html {
  const entries = scripts.map((name) => entryAssets(assets, name));
  const styles = [entryAssets(assets, STYLES_ENTRY), ...entries].flatMap((entry) => entry.styles);
  const modules = new Set(entries.flatMap((entry) => entry.modules));
  return html`${[...new Set(styles)].map((url) => html`<link rel="stylesheet" href="${url}">\n`)}
${[...modules].map((url) => html`<link rel="modulepreload" href="${url}">\n`)}
${entries.map(({ script }) => html`<script type="module" src="${script}"></script>\n`)}`;
}

function header(view: View, page: Page): Html {
  const { shell } = page;
  const home = localHref('/', view.lang);
  return html`<header>
${shell === 'site' && view.isSandbox && sandboxStripe(view)}
<div class="site">
${shell === 'site' ? html`<a class="wordmark" href="${home}">Zhiber</a>` : html`<span class="wordmark">Zhiber</span>`}
${shell === 'site' && siteNavigation(view)}
${languageSwitch(view, page)}
</div>
</header>`;
}

function sandboxStripe({ texts }: View): Html {
  const { sandbox, sandboxNote } = texts.layout;
  return html`<p class="stripe"><strong>${sandbox}</strong> — ${sandboxNote}</p>`;
}

function siteNavigation({ lang, texts, isSandbox }: View): Html {
  const { navigation, tryIt, errors, openapi, cabinet } = texts.layout;
  return html`<nav class="sections" aria-label="${navigation}">
${isSandbox && html`<a href="${localHref('/try', lang)}">${tryIt}</a>`}
<a href="${localHref('/docs/errors', lang)}">${errors}</a>
<a href="/api/openapi.json">${openapi}</a>
<a href="/app">${cabinet}</a>
</nav>`;
}

/** A bare `?lang=` keeps the address of the page, whatever it is. */
function languageSwitch(view: View, { query }: Page): Html {
  const links = LANGS.map((lang) => {
    const mark = lang === view.lang && html` aria-current="true"`;
    const address = new URLSearchParams(query);
    address.set('lang', lang);
    return html`<a href="?${address.toString()}" hreflang="${lang}" lang="${lang}"${mark}>${LANG_TITLES[lang]}</a>`;
  });
  return html`<nav class="languages" aria-label="${view.texts.layout.languages}">${links}</nav>`;
}
