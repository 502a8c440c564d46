import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import { html } from '../html.ts';
import { localHref, type View } from '../layout.ts';
import { listPages, renderDocsPage } from './docs-frame.ts';
import { findNearest } from './nearest.ts';

/** 404 inside the documentation, with the page that was probably meant. */
export function unknownDocsPage(view: View, docs: DocsBuild, asked: string): string {
  const words = view.texts.docs.unknown;
  const { lang } = view;
  const entries = listPages(docs, lang, view.texts).flatMap((group) => group.entries);
  const slug = findNearest(
    asked,
    entries.map((entry) => entry.slug),
  );
  const nearest = entries.find((entry) => entry.slug === slug);
  return renderDocsPage(view, docs, {
    title: words.title,
    description: words.text,
    body: html`<p class="lead">${words.text}</p>
${nearest !== undefined && html`<p>${words.nearest} <a href="${localHref(nearest.path, lang)}">${nearest.title}</a></p>`}
<p><a href="${localHref('/docs', lang)}">${words.all}</a></p>`,
    isIndexed: false,
  });
}
