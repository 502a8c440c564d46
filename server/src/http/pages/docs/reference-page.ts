import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import type { DocsFacts } from '@zhiber/contract/pages/docs-placeholders.ts';
import { withCode } from '../fill-text.ts';
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
    isWide: true,
    lead: words.lead,
    body: html`<p class="docs-actions"><a class="button main" href="${localHref('/docs/api/console', lang)}">${words.tryIt}</a> <a href="${localHref('/api/openapi.json', lang)}">${words.openapi}</a> <a href="${localHref('/docs/postman.json', lang)}">${words.postman}</a> <a href="${localHref('/docs/zhiber.http', lang)}">${words.httpFile}</a></p>
${keyPanel(view, reader)}
<div class="docs-prose">
<h2 id="base">${words.base}</h2>
<p><code>${reference.baseUrl}</code></p>
<p>${words.authorizationText}</p>
${codeBlock(view, { id: 'authorization', label: words.authorization, code: html`Authorization: Bearer ${keySpan(facts)}` })}
${operationIndex(reference)}
${reference.operations.map((operation) => renderOperation(view, { operation, reference, facts }))}
<h2 id="common-errors">${words.errorsEverywhere}</h2>
<p>${words.errorsEverywhereText}</p>
${errorList(view, reference.commonErrors)}
</div>`,
    markdownPath: '/docs/api.md',
    isIndexed: true,
  });
}

/** All operations at a glance, with what each does. */
function operationIndex({ operations }: Reference): Html {
  const rows = operations.map(
    (operation) =>
      html`<li><span class="docs-method">${operation.methods.join(', ')}</span> <a href="#${operation.id}" translate="no">${breakablePath(pathOnSite(operation))}</a> <span>${operation.summary}</span></li>`,
  );
  return html`<ul class="docs-index">${rows}</ul>`;
}

/** What has an address of its own beside the API is listed without its host, and by its method. */
function shortNameOf(operation: ReferenceOperation): string {
  const path = pathOnSite(operation);
  return operation.isCall ? path : `${operation.methods.join(', ')} ${path}`;
}

function pathOnSite({ path }: ReferenceOperation): string {
  return path.replace(/^https?:\/\/[^/]+/, '');
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
  // An answer has nearly all of its fields: only what may be absent is marked.
  const inAnswers = { required: '', optional: words.optional };
  return html`<section class="docs-operation">
<h2 id="${operation.id}"><span class="docs-method">${operation.methods.join(', ')}</span> <span translate="no">${breakablePath(operation.path)}</span><a class="anchor" href="#${operation.id}" aria-hidden="true" tabindex="-1">#</a></h2>
<p class="docs-summary">${operation.summary}</p>
${examples(view, { operation, reference, facts })}
<div class="docs-operation-text">
${operation.description !== '' && html`<p>${withCode(operation.description)}</p>`}
${!operation.needsKey && html`<p>${words.withoutKey}</p>`}
${operation.isCall && operation.needsKey && html`<p><a class="button" href="${console}">${words.tryIt}</a></p>`}
${fieldList(words.query, operation.query, words)}
${operation.bodyExample === undefined ? html`<p>${words.noBody}</p>` : fieldList(words.body, operation.body, words)}
${folded(words.headers, fieldRows(operation.headers, words))}
${fieldList(words.answer, operation.answer, inAnswers)}
${folded(words.answerHeaders, fieldRows(operation.answerHeaders, inAnswers))}
${operation.errors.length > 0 && html`<h3>${words.errors}</h3>${errorList(view, operation.errors)}`}
</div>
</section>`;
}

/** The request and its answer, beside the fields where there is room. */
function examples(
  view: View,
  {
    operation,
    reference,
    facts,
  }: ReferenceTexts & { operation: ReferenceOperation; facts: DocsFacts },
): Html | false {
  const words = view.texts.docs.reference;
  const { id, bodyExample, answerExample } = operation;
  if (bodyExample === undefined && answerExample === undefined) return false;
  return html`<div class="docs-operation-examples">
${bodyExample !== undefined && codeBlock(view, { id: `${id}-request`, label: `${words.exampleRequest}, curl`, code: curlOf(reference.baseUrl, operation, facts) })}
${answerExample !== undefined && codeBlock(view, { id: `${id}-answer`, label: words.exampleAnswer, code: JSON.stringify(answerExample, null, 2) })}
</div>`;
}

/** What is said of a field besides its type; an empty word is not shown. */
type FieldMarks = { required: string; optional: string };

function fieldList(
  title: string,
  fields: readonly ReferenceField[],
  marks: FieldMarks,
): Html | false {
  return fields.length > 0 && html`<h3>${title}</h3>${fieldRows(fields, marks)}`;
}

/** Headers are nearly the same everywhere, so they stay folded until somebody asks. */
function folded(title: string, rows: Html | false): Html | false {
  return rows && html`<details class="docs-folded"><summary>${title}</summary>${rows}</details>`;
}

/** A list rather than a table: it fits a narrow screen as it is. */
function fieldRows(fields: readonly ReferenceField[], marks: FieldMarks): Html | false {
  if (fields.length === 0) return false;
  const rows = fields.map(({ name, type, isRequired, limits, description }) => {
    const mark = isRequired ? marks.required : marks.optional;
    return html`<div>
<dt><code>${name}</code>${mark !== '' && html` <span class="${isRequired ? 'docs-required' : 'docs-optional'}">${mark}</span>`} <span class="docs-type">${[type, ...limits].join(' · ')}</span></dt>
<dd>${withCode(description)}</dd></div>`;
  });
  return html`<dl class="docs-fields">${rows}</dl>`;
}

function errorList({ lang, texts }: View, codes: readonly ErrorCode[]): Html {
  const rows = codes.map(
    (code) =>
      html`<li><span class="docs-status">${ERRORS[code].status}</span> <a href="${localHref(`/docs/errors/${code}`, lang)}" translate="no">${breakablePath(code)}</a> <span class="docs-meaning">${texts.errorPages.codes[code].meaning}</span></li>`,
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
