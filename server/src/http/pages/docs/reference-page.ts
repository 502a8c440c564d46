import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import type { DocsFacts } from '@zhiber/contract/pages/docs-placeholders.ts';
import { type Html, html } from '../html.ts';
import { codeBlock, localHref, type View } from '../layout.ts';
import { renderDocsPage } from './docs-frame.ts';
import { type DocsReader, keyPanel } from './guide-page.ts';
import type { Reference, ReferenceField, ReferenceOperation } from './reference-model.ts';

/** The language of the descriptions in the reference. */
export type ReferenceTexts = { reference: Reference };

/** `/docs/api`: every operation with its fields, headers, examples and errors. */
export function referencePage(
  view: View,
  docs: DocsBuild,
  { reference, reader }: ReferenceTexts & { reader: DocsReader },
): string {
  const words = view.texts.docs.reference;
  const { lang } = view;
  const { facts } = reader;
  const headings = [
    { id: 'base', level: 2, text: words.base },
    ...reference.operations.map((operation) => ({
      id: operation.id,
      level: 2,
      text: shortNameOf(operation),
    })),
    { id: 'common-errors', level: 2, text: words.errorsEverywhere },
  ];
  return renderDocsPage(view, docs, {
    slug: 'api',
    title: words.title,
    description: words.description,
    headings,
    lead: words.lead,
    body: html`<p class="docs-actions"><a class="button main" href="${localHref('/docs/api/console', lang)}">${words.tryIt}</a> <a href="${localHref('/api/openapi.json', lang)}">${words.openapi}</a> <a href="${localHref('/docs/postman.json', lang)}">${words.postman}</a> <a href="${localHref('/docs/zhiber.http', lang)}">${words.httpFile}</a></p>
${keyPanel(view, reader)}
<div class="docs-prose">
<h2 id="base">${words.base}</h2>
<p><code>${reference.baseUrl}</code></p>
<p>${words.authorizationText}</p>
${codeBlock(view, { id: 'authorization', label: words.authorization, code: html`Authorization: Bearer ${keySpan(facts)}` })}
${reference.operations.map((operation) => renderOperation(view, { operation, reference, facts }))}
<h2 id="common-errors">${words.errorsEverywhere}</h2>
<p>${words.errorsEverywhereText}</p>
${errorList(view, reference.commonErrors)}
</div>`,
    markdownPath: '/docs/api.md',
    isIndexed: true,
  });
}

/** What has an address of its own beside the API is listed without its host, and by its method. */
function shortNameOf({ isCall, methods, path }: ReferenceOperation): string {
  return isCall ? path : `${methods.join(', ')} ${path.replace(/^https?:\/\/[^/]+/, '')}`;
}

function renderOperation(
  view: View,
  {
    operation,
    reference,
    facts,
  }: ReferenceTexts & { operation: ReferenceOperation; facts: DocsFacts },
): Html {
  const words = view.texts.docs.reference;
  const { lang } = view;
  const console = `${localHref('/docs/api/console', lang)}&operation=${operation.id}`;
  return html`<section class="docs-operation">
<h2 id="${operation.id}"><span class="docs-method">${operation.methods.join(', ')}</span> <span translate="no">${breakablePath(operation.path)}</span><a class="anchor" href="#${operation.id}" aria-hidden="true" tabindex="-1">#</a></h2>
<p>${operation.summary}</p>
${operation.description !== '' && html`<p>${operation.description}</p>`}
${operation.isCall && operation.needsKey && html`<p><a href="${console}">${words.tryIt}</a></p>`}
${!operation.needsKey && html`<p>${words.withoutKey}</p>`}
${operation.query.length > 0 && fieldTable(view, words.query, operation.query)}
${fieldTable(view, words.headers, operation.headers)}
${operation.bodyExample === undefined ? html`<p>${words.noBody}</p>` : fieldTable(view, words.body, operation.body)}
${operation.bodyExample !== undefined && codeBlock(view, { id: `${operation.id}-request`, label: `${words.exampleRequest}, curl`, code: curlOf(reference.baseUrl, operation, facts) })}
${fieldTable(view, words.answer, operation.answer)}
${fieldTable(view, words.answerHeaders, operation.answerHeaders)}
${operation.answerExample !== undefined && codeBlock(view, { id: `${operation.id}-answer`, label: words.exampleAnswer, code: JSON.stringify(operation.answerExample, null, 2) })}
${operation.errors.length > 0 && html`<h3>${words.errors}</h3>${errorList(view, operation.errors)}`}
</section>`;
}

/** A list rather than a table: it fits a narrow screen as it is. */
function fieldTable(view: View, title: string, fields: readonly ReferenceField[]): Html | false {
  if (fields.length === 0) return false;
  const words = view.texts.docs.reference;
  const rows = fields.map(
    ({ name, type, isRequired, limits, description }) => html`<div>
<dt><code>${name}</code> <span class="docs-type">${type}</span> <span class="${isRequired ? 'docs-required' : 'docs-optional'}">${isRequired ? words.required : words.optional}</span></dt>
<dd>${description !== '' && html`<span>${description}</span>`}${limits.length > 0 && html`<span class="docs-limits">${limits.join(' · ')}</span>`}</dd></div>`,
  );
  return html`<h3>${title}</h3><dl class="docs-fields">${rows}</dl>`;
}

function errorList({ lang, texts }: View, codes: readonly ErrorCode[]): Html {
  const rows = codes.map(
    (code) =>
      html`<li><span class="docs-status">${ERRORS[code].status}</span> <a href="${localHref(`/docs/errors/${code}`, lang)}" translate="no">${breakablePath(code)}</a> <span>${texts.errorPages.codes[code].meaning}</span></li>`,
  );
  return html`<ul class="docs-errors">${rows}</ul>`;
}

function curlOf(baseUrl: string, operation: ReferenceOperation, facts: DocsFacts): Html {
  const body = JSON.stringify(operation.bodyExample, null, 2).replaceAll('\n', '\n  ');
  return html`curl ${baseUrl}${operation.path} \\
  -H "Authorization: Bearer ${keySpan(facts)}" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
}

function keySpan({ key }: DocsFacts): Html {
  return html`<span data-key>${key}</span>`;
}

/** Long names may break after a slash or an underscore, and still copy whole. */
function breakablePath(path: string): Html[] {
  return path
    .split(/(?<=[/_])/)
    .map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`));
}
