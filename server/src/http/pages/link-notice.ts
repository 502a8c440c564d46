import type { LinkNotice } from '@zhiber/contract/pages.ts';
import { html } from './html.ts';
import { renderPage, type View } from './layout.ts';

/** For people who followed a short link that leads nowhere. */
export function linkNoticePage(view: View, notice: LinkNotice): string {
  const { title, text } = view.texts.linkNotices[notice];
  return renderPage(view, {
    title,
    body: html`<div class="notice-page"><h1>${title}</h1><p>${text}</p></div>`,
    shell: 'bare',
    isIndexed: false,
  });
}
