import { LANG_TITLES, LANGS, type Lang } from '@zhiber/contract/languages.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { type Html, type HtmlPart, html } from './html.ts';
import { langOf } from './language.ts';
import { chosenTheme, type Theme } from './theme.ts';
import { entryAssets, type PageAssets, type WebBuild } from './web-build.ts';

/** What every rendered page needs to know about its reader and its place. */
export type View = {
  lang: Lang;
  texts: PublicTexts;
  assets: PageAssets;
  isSandbox: boolean;
  /** Undefined for people who followed a short link: they know nothing of the site. */
  site?: Site;
};

/** The installation, and the place of a page in it. */
export type Site = {
  /** The origin of the site. */
  url: string;
  /** The path that was asked for, without its query. */
  path: string;
  theme: Theme | undefined;
  /** The company that runs the installation, where its settings name it. */
  operator: string | undefined;
  supportContact: string | undefined;
  hasTerms: boolean;
  hasPrivacy: boolean;
};

export function createView(build: WebBuild, lang: Lang, isSandbox: boolean): View {
  return { lang, texts: build.texts[lang], assets: build.pageAssets, isSandbox };
}

/** The view of a page with navigation and foot: its language, theme and path are the request's. */
export function createSiteView(
  build: WebBuild,
  { config, channels, urls }: Pick<Context, 'config' | 'channels' | 'urls'>,
  request: FastifyRequest,
): View {
  return {
    ...createView(build, langOf(request), channels.isSandbox),
    site: {
      url: urls.publicUrl,
      path: request.url.split('?', 1)[0] as string,
      theme: chosenTheme(request.headers.cookie),
      operator: config.payments.seller?.name,
      supportContact: config.supportContact,
      hasTerms: config.termsFile !== undefined,
      hasPrivacy: config.privacyFile !== undefined,
    },
  };
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
  /** Feeds and other forms of the page, for programs that look for them. */
  feeds?: readonly { href: string; type: string; title: string }[];
};

/** It stands beside a word, so screen readers skip it. */
const COPY_ICON = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M7 7h9v9H7zM4 13V4h9"/></svg>`;

const MENU_ICON = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M3 6h14M3 10h14M3 14h14"/></svg>`;

const STYLES_ENTRY = 'pages';

/** The whole document around a page's body. */
export function renderPage(view: View, page: Page): string {
  const { lang, texts, site } = view;
  const isSite = page.shell === 'site';
  return html`<!doctype html>
<html lang="${lang}"${site?.theme !== undefined && html` class="${site.theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${!page.isIndexed && html`<meta name="robots" content="noindex">`}
<title>${page.title}</title>
${page.description !== undefined && html`<meta name="description" content="${page.description}">`}
${isSite && page.isIndexed && site !== undefined && addresses(view, site, page)}
${page.feeds?.map(({ href, type, title }) => html`<link rel="alternate" type="${type}" title="${title}" href="${href}">\n`)}
<link rel="icon" type="image/svg+xml" href="${view.assets.icon}">
${assetLinks(view.assets, isSite ? (page.scripts ?? [STYLES_ENTRY]) : [])}
</head>
<body>
<a class="skip" href="#content">${texts.layout.skip}</a>
${header(view, page)}
<main id="content" tabindex="-1">
${page.body}
</main>
${isSite && footer(view, hasThemeSwitch(page))}
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

/** The one address of the page in each language, for search engines, and its name in a preview. */
function addresses({ lang }: View, { url, path }: Site, page: Page): Html {
  const inLang = (other: Lang) => `${url}${localHref(path, other)}`;
  const alternates = LANGS.map(
    (other) => html`<link rel="alternate" hreflang="${other}" href="${inLang(other)}">\n`,
  );
  return html`<link rel="canonical" href="${inLang(lang)}">
${alternates}<link rel="alternate" hreflang="x-default" href="${url}${path}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Zhiber">
<meta property="og:title" content="${page.title}">
${page.description !== undefined && html`<meta property="og:description" content="${page.description}">`}
<meta property="og:url" content="${inLang(lang)}">
<meta property="og:locale" content="${lang}">`;
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

/** The switch needs the script of every page. */
function hasThemeSwitch({ scripts }: Page): boolean {
  return scripts === undefined || scripts.includes(STYLES_ENTRY);
}

/**
 * On a narrow screen the sections are in a popover, which the browser opens and closes by itself. On
 * a wide one the styles show them in the line. The way into the cabinet ends the line on both.
 */
function header(view: View, page: Page): Html {
  if (page.shell === 'bare') {
    return html`<header>
<div class="site"><span class="wordmark">Zhiber</span>
${languageSwitch(view, page)}
</div>
</header>`;
  }
  return html`<header>
${view.isSandbox && sandboxStripe(view)}
<div class="site">
<a class="wordmark" href="${localHref('/', view.lang)}">Zhiber</a>
<button type="button" class="button menu-button" popovertarget="menu">${MENU_ICON}${view.texts.layout.menu}</button>
<div id="menu" class="menu" popover>
${sections(view)}
${languageSwitch(view, page)}
</div>
<a class="button" href="/app">${view.texts.layout.cabinet}</a>
</div>
</header>`;
}

function sandboxStripe({ texts }: View): Html {
  const { sandbox, sandboxNote } = texts.layout;
  return html`<p class="stripe"><strong>${sandbox}</strong> — ${sandboxNote}</p>`;
}

function sections({ lang, texts, isSandbox, site }: View): Html {
  const { navigation, docs, pricing, status, changelog, tryIt } = texts.layout;
  const link = (path: string, title: string) =>
    html`<a href="${localHref(path, lang)}"${currentMark(path, site?.path)}>${title}</a>\n`;
  return html`<nav class="sections" aria-label="${navigation}">
${link('/docs', docs)}
${link('/pricing', pricing)}
${link('/status', status)}
${link('/changelog', changelog)}
${isSandbox && link('/try', tryIt)}
</nav>`;
}

/** The page itself, or the section that it is part of. */
function currentMark(section: string, path = ''): Html | false {
  if (path === section) return html` aria-current="page"`;
  return path.startsWith(`${section}/`) && html` aria-current="true"`;
}

function footer(view: View, withThemes: boolean): Html {
  const { lang, site, texts } = view;
  const words = texts.layout;
  const link = (path: string, title: string) =>
    html`<li><a href="${localHref(path, lang)}">${title}</a></li>\n`;
  const column = (title: string, links: HtmlPart) =>
    html`<div><h2>${title}</h2><ul>${links}</ul></div>\n`;
  return html`<footer class="foot">
<div class="foot-columns">
${column(words.forDevelopers, [
  link('/docs', words.docs),
  link('/docs/api', texts.docs.reference.title),
  link('/docs/errors', words.errors),
  html`<li><a href="/api/openapi.json">${words.openapi}</a></li>`,
])}
${column(words.service, [
  link('/pricing', words.pricing),
  link('/status', words.status),
  link('/changelog', words.changelog),
  html`<li><a href="/app">${words.cabinet}</a></li>`,
])}
${
  (site?.hasTerms || site?.hasPrivacy) &&
  column(words.legal, [
    site.hasTerms && link('/terms', words.terms),
    site.hasPrivacy && link('/privacy', words.privacy),
  ])
}
</div>
<div class="foot-end">
${site?.operator !== undefined && html`<p>${words.operator}: ${site.operator}</p>`}
${site?.supportContact !== undefined && html`<p>${words.support}: <a href="${site.supportContact}">${readableContact(site.supportContact)}</a></p>`}
${withThemes && themeSwitch(view)}
</div>
</footer>`;
}

/** `mailto:help@example.kz` as people write it. */
export function readableContact(address: string): string {
  return address.replace(/^(?:mailto:|https:\/\/)/, '').replace(/\/$/, '');
}

/** Shown by the script, which alone can change the theme. */
function themeSwitch({ texts, site }: View): Html {
  const { theme, themes } = texts.layout;
  const option = (name: keyof typeof themes) =>
    html`<option value="${name}"${name === (site?.theme ?? 'system') && html` selected`}>${themes[name]}</option>`;
  return html`<label class="theme" hidden>${theme} <select data-theme>${option('system')}${option('light')}${option('dark')}</select></label>`;
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
