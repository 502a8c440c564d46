import { assetUrl, assetUrlsUnder } from './assets.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { LANG_TITLES, LANGS, type Lang } from './language.ts';
import { LAYOUT_TEXTS } from './texts/layout-texts.ts';

/** The pages keep to it: no inline script, no inline style, nothing from another origin. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const SITE_STYLES = [
  'styles/fonts.css',
  'styles/tokens.css',
  'styles/base.css',
  'styles/controls.css',
];

export type Page = {
  lang: Lang;
  title: string;
  body: Html;
  /**
   * `site` has the navigation; `bare` is for people who followed a short link and know nothing of
   * us.
   */
  shell: 'site' | 'bare';
  isSandbox: boolean;
  isIndexed: boolean;
  styles: readonly string[];
  script?: string;
  /** Folder of further modules that the script imports. */
  preload?: string;
};

/** The whole document around a page's body. */
export function renderPage(page: Page): string {
  const { markup } = html`<!doctype html>
<html lang="${page.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${!page.isIndexed && html`<meta name="robots" content="noindex">`}
<title>${page.title}</title>
<link rel="icon" type="image/svg+xml" href="${assetUrl('icon.svg')}">
${[...SITE_STYLES, ...page.styles].map(stylesheet)}
${page.preload !== undefined && assetUrlsUnder(page.preload).map(modulePreload)}
${page.script !== undefined && html`<script type="module" src="${assetUrl(page.script)}"></script>`}
</head>
<body>
<a class="skip" href="#content">${LAYOUT_TEXTS[page.lang].skip}</a>
${header(page)}
<main id="content" tabindex="-1">
${page.body}
</main>
</body>
</html>
`;
  return markup;
}

/** An address on this site in the same language. */
export function localHref(path: string, lang: Lang): string {
  return `${path}?lang=${lang}`;
}

/** A block of code with a copy button; the pages that show one load `client/copy-buttons.js`. */
export function codeBlock(block: { id: string; label: string; code: string; lang: Lang }): Html {
  const texts = LAYOUT_TEXTS[block.lang];
  return html`<figure class="code">
<figcaption class="code-head"><span>${block.label}</span>
<button type="button" class="button small" data-copy="${block.id}" data-copied="${texts.copied}">${icon('copy')}<span>${texts.copy}</span></button></figcaption>
<pre id="${block.id}" lang="en" translate="no"><code>${block.code}</code></pre>
</figure>`;
}

function stylesheet(name: string): Html {
  return html`<link rel="stylesheet" href="${assetUrl(name)}">
`;
}

function modulePreload(url: string): Html {
  return html`<link rel="modulepreload" href="${url}">
`;
}

function header(page: Page): Html {
  const home = localHref('/', page.lang);
  const isSite = page.shell === 'site';
  return html`<header>
${page.isSandbox && sandboxStripe(page.lang)}
<div class="site">
${isSite ? html`<a class="wordmark" href="${home}">Zhiber</a>` : html`<span class="wordmark">Zhiber</span>`}
${isSite && siteNavigation(page)}
${languageSwitch(page.lang)}
</div>
</header>`;
}

function sandboxStripe(lang: Lang): Html {
  const texts = LAYOUT_TEXTS[lang];
  return html`<p class="stripe"><strong>${texts.sandbox}</strong> — ${texts.sandboxNote}</p>`;
}

function siteNavigation({ lang, isSandbox }: Page): Html {
  const texts = LAYOUT_TEXTS[lang];
  return html`<nav class="sections" aria-label="${texts.navigation}">
${isSandbox && html`<a href="${localHref('/try', lang)}">${texts.tryIt}</a>`}
<a href="${localHref('/docs/errors', lang)}">${texts.errors}</a>
<a href="/api/openapi.json">${texts.openapi}</a>
<a href="/app">${texts.cabinet}</a>
</nav>`;
}

/** A bare `?lang=` keeps the address of the page, whatever it is. */
function languageSwitch(current: Lang): Html {
  const links = LANGS.map((lang) => {
    const mark = lang === current && html` aria-current="true"`;
    return html`<a href="?lang=${lang}" hreflang="${lang}" lang="${lang}"${mark}>${LANG_TITLES[lang]}</a>`;
  });
  return html`<nav class="languages" aria-label="${LAYOUT_TEXTS[current].languages}">${links}</nav>`;
}
