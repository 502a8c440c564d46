import type { DocsBuild, DocsPage } from '@zhiber/contract/pages/docs.ts';
import { type DocsFacts, KEY_VARIABLE } from '@zhiber/contract/pages/docs-placeholders.ts';
import { type Html, html, trustedHtml } from '../html.ts';
import type { View } from '../layout.ts';
import { fillHtml } from './docs-facts.ts';
import { renderDocsPage } from './docs-frame.ts';
import { webotpDemo } from './webotp-demo.ts';

/** The page with the form that reads a code from a message. */
const WEBOTP_SLUG = 'webotp';

/** A page that is written in Markdown. */
export function guidePage(
  view: View,
  docs: DocsBuild,
  { slug, page, facts }: { slug: string; page: DocsPage; facts: DocsFacts },
): string {
  const demo = slug === WEBOTP_SLUG ? webotpDemo(view) : undefined;
  const hasKey = page.hasKey || demo !== undefined;
  return renderDocsPage(view, docs, {
    slug,
    title: page.title,
    description: page.description,
    headings: [
      ...page.headings,
      ...(demo === undefined ? [] : [{ id: 'demo', level: 2, text: view.texts.docs.webotp.title }]),
    ],
    body: html`<p class="lead">${page.description}</p>
${hasKey && keyPanel(view, facts)}
<div class="docs-prose">${trustedHtml(fillHtml(page.html, facts))}</div>
${demo}`,
    markdownPath: `/docs/${slug}.md`,
    isIndexed: true,
    scripts: demo === undefined ? [] : ['docs-webotp'],
  });
}

/**
 * Which key the examples have, and how to fill in another. The forms need the script: a key never
 * goes to the server in an address.
 */
export function keyPanel({ lang, texts }: View, facts: DocsFacts): Html {
  const words = texts.docs.key;
  const isKnown = facts.key !== KEY_VARIABLE;
  return html`<section class="docs-key" aria-label="${words.title}" data-key-panel data-own="${words.own}" data-filled="${words.filled}" data-created="${words.created}" data-forgotten="${words.forgotten}" data-live="${words.live}" data-malformed="${words.malformed}" data-stale="${words.stale}" data-not-created="${words.notCreated}" data-key-name="${words.keyName}"${isKnown && html` data-sandbox-key="${facts.key}"`}>
<p data-key-source>${isKnown ? words.sandbox : words.variable}</p>
<form data-key-form hidden>
<label for="docs-key">${words.label}</label>
<div class="docs-key-row"><input id="docs-key" type="text" autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="zk_test_…" aria-describedby="docs-key-hint">
<button class="button" type="submit">${words.fill}</button>
<button class="button" type="button" data-key-create hidden>${words.create}</button>
<button class="button" type="button" data-key-forget hidden>${words.forget}</button></div>
<p class="note" id="docs-key-hint">${words.hint} <a href="/app/keys?lang=${lang}">${words.toKeys}</a></p>
</form>
<p class="docs-key-said" role="status" data-key-status></p>
</section>`;
}
