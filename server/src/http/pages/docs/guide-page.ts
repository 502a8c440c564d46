import { type DocsBuild, type DocsPage, demoMark } from '@zhiber/contract/pages/docs.ts';
import { type DocsFacts, KEY_VARIABLE } from '@zhiber/contract/pages/docs-placeholders.ts';
import { type Html, html, trustedHtml } from '../html.ts';
import type { View } from '../layout.ts';
import { fillHtml } from './docs-facts.ts';
import { renderDocsPage } from './docs-frame.ts';
import { webotpDemo } from './webotp-demo.ts';

/** What a page fills in, and for whom. */
export type DocsReader = {
  facts: DocsFacts;
  /** Whether the browser has a session of the cabinet; the cabinet says whether it is still valid. */
  hasSession: boolean;
};

/** A page that is written in Markdown. */
export function guidePage(
  view: View,
  docs: DocsBuild,
  { slug, page, reader }: { slug: string; page: DocsPage; reader: DocsReader },
): string {
  const mark = demoMark('webotp');
  const hasDemo = page.html.includes(mark);
  const filled = fillHtml(page.html, reader.facts).replace(mark, () => webotpDemo(view).markup);
  return renderDocsPage(view, docs, {
    slug,
    title: page.title,
    description: page.description,
    headings: page.headings,
    lead: page.description,
    body: html`${(page.hasKey || hasDemo) && keyPanel(view, reader)}
<div class="docs-prose">${trustedHtml(filled)}</div>`,
    markdownPath: `/docs/${slug}.md`,
    isIndexed: true,
    scripts: hasDemo ? ['docs-webotp'] : [],
  });
}

/**
 * Which key the examples have, and how to fill in another. The forms need the script: a key never
 * goes to the server in an address.
 */
export function keyPanel({ lang, texts }: View, { facts, hasSession }: DocsReader): Html {
  const words = texts.docs.key;
  const isKnown = facts.key !== KEY_VARIABLE;
  return html`<section class="docs-key" aria-label="${words.title}" data-key-panel data-own="${words.own}" data-filled="${words.filled}" data-created="${words.created}" data-forgotten="${words.forgotten}" data-live="${words.live}" data-malformed="${words.malformed}" data-stale="${words.stale}" data-not-created="${words.notCreated}" data-key-name="${words.keyName}"${isKnown && html` data-sandbox-key="${facts.key}"`}${hasSession && html` data-has-session`}>
<p data-key-source>${isKnown ? words.sandbox : words.variable}</p>
<details data-key-details hidden><summary>${words.fill}</summary>
<form data-key-form>
<label for="docs-key">${words.label}</label>
<div class="docs-key-row"><input id="docs-key" type="text" autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="zk_test_…" aria-describedby="docs-key-hint">
<button class="button" type="submit">${words.fill}</button>
<button class="button" type="button" data-key-create hidden>${words.create}</button>
<button class="button" type="button" data-key-forget hidden>${words.forget}</button></div>
<p class="note" id="docs-key-hint">${words.hint} <a href="/app/keys?lang=${lang}">${words.toKeys}</a></p>
</form></details>
<p class="docs-key-said" role="status" data-key-status></p>
</section>`;
}
