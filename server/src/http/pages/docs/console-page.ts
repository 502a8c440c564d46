import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import { type DocsFacts, KEY_VARIABLE } from '@zhiber/contract/pages/docs-placeholders.ts';
import { html } from '../html.ts';
import type { View } from '../layout.ts';
import { renderDocsPage } from './docs-frame.ts';
import type { Reference } from './reference-model.ts';

/** `/docs/api/console`: a call made from the page, with a test key. */
export function consolePage(
  view: View,
  docs: DocsBuild,
  { reference, facts, chosen }: { reference: Reference; facts: DocsFacts; chosen: string },
): string {
  const words = view.texts.docs.console;
  const { lang } = view;
  const operations = reference.operations.filter(({ isCall, needsKey }) => isCall && needsKey);
  const options = operations.map(
    ({ id, path, methods, bodyExample }) =>
      html`<option value="${path}" data-body="${JSON.stringify(bodyExample, null, 2)}"${id === chosen && html` selected`}>${methods[0]} ${path}</option>`,
  );
  const key = facts.key === KEY_VARIABLE ? '' : facts.key;
  return renderDocsPage(view, docs, {
    title: words.title,
    description: words.description,
    parent: { title: view.texts.docs.reference.title, path: '/docs/api' },
    lead: words.lead,
    isWide: true,
    body: html`<noscript><p class="callout">${words.needsScript}</p></noscript>
<div class="docs-parts">
<form class="docs-console" data-console data-sending="${words.sending}" data-broken-json="${words.brokenJson}" data-no-connection="${words.noConnection}" data-no-key="${words.noKey}" data-live-key="${words.liveKey}" data-origin-hint="${words.originHint}" data-error-page="${words.errorPage}" data-ms="${words.ms}" data-lang="${lang}" data-sandbox-key="${key}">
<label for="console-operation">${words.operation}</label>
<select id="console-operation">${options}</select>
<label for="console-key">${words.key}</label>
<input id="console-key" type="text" autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="zk_test_…" aria-describedby="console-key-hint">
<p class="note" id="console-key-hint">${words.keyHint} ${words.boundKey}</p>
<label for="console-body">${words.body}</label>
<textarea id="console-body" rows="9" spellcheck="false" autocapitalize="off" translate="no" lang="ru"></textarea>
<div class="docs-key-row"><button class="button main" type="submit" disabled>${words.send}</button>
<button class="button" type="button" data-console-format disabled>${words.format}</button></div>
<p class="docs-key-said" role="status" data-console-status></p>
</form>
<section class="docs-answer" aria-label="${words.answer}" data-console-answer hidden>
<h2>${words.answer}</h2>
<p><strong data-console-code></strong> <span data-console-time></span> <a data-console-error hidden></a></p>
<figure class="code"><figcaption class="code-head"><span>JSON</span></figcaption><pre lang="ru" translate="no"><code data-console-json></code></pre></figure>
<h3>${words.headers}</h3>
<figure class="code"><pre lang="en" translate="no"><code data-console-headers></code></pre></figure>
</section>
</div>`,
    isIndexed: true,
    scripts: ['docs-console'],
  });
}
