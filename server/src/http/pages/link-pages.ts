import { html } from './html.ts';
import type { Lang } from './language.ts';
import { renderPage } from './layout.ts';
import { LINK_TEXTS, type LinkTexts } from './texts/link-texts.ts';

/** 410: the link has expired or was disabled. */
export function linkGonePage(lang: Lang): string {
  return noticePage(lang, 'gone');
}

/** 404: there never was such a link. */
export function linkUnknownPage(lang: Lang): string {
  return noticePage(lang, 'unknown');
}

/** 429: too many unknown names from one address. */
export function tooManyPage(lang: Lang): string {
  return noticePage(lang, 'tooMany');
}

function noticePage(lang: Lang, notice: keyof LinkTexts): string {
  const { title, text } = LINK_TEXTS[lang][notice];
  return renderPage({
    lang,
    title,
    body: html`<div class="notice-page"><h1>${title}</h1><p>${text}</p></div>`,
    shell: 'bare',
    isSandbox: false,
    isIndexed: false,
    styles: ['styles/documents.css'],
  });
}
