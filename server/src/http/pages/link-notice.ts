import type { Lang } from '@zhiber/contract/languages.ts';
import type { LinkNotice } from '@zhiber/contract/pages.ts';
import { html } from './html.ts';
import { createView, renderPage, type View } from './layout.ts';
import { plainNotice } from './plain-pages.ts';
import type { WebBuild } from './web-build.ts';

/** For people who followed a short link that leads nowhere. They know nothing of the site. */
export function renderNotice(build: WebBuild | undefined, lang: Lang, notice: LinkNotice): string {
  if (build === undefined) return plainNotice(notice);
  return linkNoticePage(createView(build, lang, false), notice);
}

export function linkNoticePage(view: View, notice: LinkNotice): string {
  const { title, text } = view.texts.linkNotices[notice];
  return renderPage(view, {
    title,
    body: html`<div class="notice-page"><h1>${title}</h1><p>${text}</p></div>`,
    shell: 'bare',
    isIndexed: false,
  });
}
