import { ERROR_CODES, ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import { type FramedPage, renderDocsPage } from './docs/docs-frame.ts';
import { findNearest } from './docs/nearest.ts';
import { exampleAnswer } from './error-example.ts';
import { type Html, html } from './html.ts';
import { codeBlock, localHref, type View } from './layout.ts';

/** `/docs/errors`: every code in one table, or those that have the words of `asked`. */
export function errorsPage(view: View, docs: DocsBuild, asked = ''): string {
  const texts = view.texts.errorPages;
  const { errorFilter, search } = view.texts.docs;
  const found = ERROR_CODES.filter((code) => matches(view, code, asked));
  const body = html`<form class="docs-key-row errors-filter" action="/docs/errors" data-errors-filter>
<input type="hidden" name="lang" value="${view.lang}">
<label for="errors-filter">${errorFilter.label}</label>
<input id="errors-filter" type="search" name="q" value="${asked}" autocomplete="off" spellcheck="false" maxlength="100">
<button class="button" type="submit">${search.submit}</button>
</form>
<p class="note" role="status" data-errors-none data-nothing="${errorFilter.nothing}">${found.length === 0 && errorFilter.nothing}</p>
<table class="errors" role="table">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">${texts.columns.status}</th>
<th role="columnheader" scope="col">${texts.columns.code}</th>
<th role="columnheader" scope="col">${texts.columns.meaning}</th>
<th role="columnheader" scope="col">${texts.columns.retry}</th>
</tr></thead>
<tbody role="rowgroup">${found.map((code) => errorRow(view, code))}</tbody>
</table>`;
  return renderDocsPage(view, docs, {
    slug: 'errors',
    title: texts.listTitle,
    description: texts.listLead,
    lead: texts.listLead,
    body,
    isWide: true,
    markdownPath: '/docs/errors.md',
    isIndexed: true,
    ...(asked !== '' && { query: new URLSearchParams({ q: asked }) }),
  });
}

/** Every word in the code, its status or its meaning. */
function matches({ texts }: View, code: ErrorCode, asked: string): boolean {
  const text = `${code} ${ERRORS[code].status} ${texts.errorPages.codes[code].meaning}`;
  const words = asked.toLowerCase().split(/\s+/);
  return words.every((word) => text.toLowerCase().includes(word));
}

/**
 * `/docs/errors/CODE`: what happened and what to do. `siteUrl` is the origin that the example's
 * links show.
 */
export function errorPage(
  view: View,
  docs: DocsBuild,
  { code, siteUrl }: { code: ErrorCode; siteUrl: string },
): string {
  const { lang } = view;
  const texts = view.texts.errorPages;
  const { meaning, advice } = texts.codes[code];
  const { status, message, retry } = ERRORS[code];
  const body = html`<div class="docs-parts">
<dl class="facts">
<dt>${texts.whatHappened}</dt><dd>${meaning}</dd>
${lang !== 'ru' && html`<dt>${texts.apiMessage}</dt><dd lang="ru">${message}</dd>`}
<dt>${texts.whatToDo}</dt><dd>${advice}</dd>
<dt>${texts.retryQuestion}</dt><dd>${retry ? texts.retryYesLong : texts.retryNoLong}</dd>
<dt>${texts.chargedQuestion}</dt><dd>${texts.chargedNever}</dd>
</dl>
${codeBlock(view, { id: 'example', label: texts.example, code: exampleAnswer(code, siteUrl) })}
</div>
<div class="docs-prose">
${relatedCodes(view, code)}
</div>`;
  return renderDocsPage(view, docs, {
    ...underErrors(view),
    title: `${code} · ${texts.listTitle}`,
    heading: html`<span class="error-code" translate="no">${breakable(code)}</span>`,
    description: meaning,
    lead: html`<span class="chip ${status >= 500 ? 'bad' : 'warn'}">HTTP ${status}</span>`,
    body,
    isWide: true,
    markdownPath: `/docs/errors/${code}.md`,
    isIndexed: true,
  });
}

/** 404 for a code that is not in the catalogue, with the one that was probably meant. */
export function unknownErrorPage(view: View, docs: DocsBuild, asked = ''): string {
  const texts = view.texts.errorPages;
  const nearest = findNearest(asked, ERROR_CODES);
  const body = html`<p class="lead">${texts.unknownText}</p>
${nearest !== undefined && html`<p>${view.texts.docs.unknown.nearest} <a href="${localHref(`/docs/errors/${nearest}`, view.lang)}" translate="no">${nearest}</a></p>`}
<p><a href="${localHref('/docs/errors', view.lang)}">${texts.back}</a></p>`;
  return renderDocsPage(view, docs, {
    ...underErrors(view),
    title: texts.unknownTitle,
    description: texts.unknownText,
    body,
    isIndexed: false,
  });
}

function underErrors({ texts }: View): Pick<FramedPage, 'parent'> {
  return { parent: { title: texts.errorPages.back, path: '/docs/errors' } };
}

/**
 * The roles are spelled out because the narrow layout turns rows into blocks, which drops a table's
 * own.
 */
function errorRow({ lang, texts }: View, code: ErrorCode): Html {
  const { codes, columns, retryYes, retryNo } = texts.errorPages;
  const { status, retry } = ERRORS[code];
  return html`<tr role="row">
<td role="cell" class="status">${status}</td>
<td role="cell" class="code-cell"><a href="${localHref(`/docs/errors/${code}`, lang)}" translate="no">${breakable(code)}</a></td>
<td role="cell">${codes[code].meaning}</td>
<td role="cell"><span class="narrow-only">${columns.retry} </span><span${retry && html` class="may-repeat"`}>${retry ? retryYes : retryNo}</span></td>
</tr>`;
}

function relatedCodes({ lang, texts }: View, code: ErrorCode): Html | false {
  const related = ERROR_CODES.filter(
    (other) => other !== code && ERRORS[other].status === ERRORS[code].status,
  );
  if (related.length === 0) return false;
  const links = related.map(
    (other) =>
      html`<li><a href="${localHref(`/docs/errors/${other}`, lang)}" translate="no">${breakable(other)}</a></li>`,
  );
  return html`<h2>${texts.errorPages.related}</h2><ul class="related">${links}</ul>`;
}

/**
 * Long codes may break after an underscore, so that they fit a narrow screen and still copy whole.
 */
function breakable(code: string): Html[] {
  return code.split('_').map((word, index) => (index === 0 ? html`${word}` : html`_<wbr>${word}`));
}
