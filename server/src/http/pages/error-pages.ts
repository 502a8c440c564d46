import { ERROR_CODES, ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import { exampleAnswer } from './error-example.ts';
import { type Html, html } from './html.ts';
import { codeBlock, localHref, renderPage, type View } from './layout.ts';
import { listSitePages, suggestPages } from './site-pages.ts';

/** `/docs/errors`: every code in one table. */
export function errorsPage(view: View): string {
  const texts = view.texts.errorPages;
  const body = html`<div class="wide">
<h1>${texts.listTitle}</h1>
<p class="lead">${texts.listLead}</p>
<table class="errors" role="table">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">${texts.columns.status}</th>
<th role="columnheader" scope="col">${texts.columns.code}</th>
<th role="columnheader" scope="col">${texts.columns.meaning}</th>
<th role="columnheader" scope="col">${texts.columns.retry}</th>
</tr></thead>
<tbody role="rowgroup">${ERROR_CODES.map((code) => errorRow(view, code))}</tbody>
</table>
</div>`;
  return renderDocument(view, texts.listTitle, body);
}

/**
 * `/docs/errors/CODE`: what happened and what to do. `siteUrl` is the origin that the example's
 * links show.
 */
export function errorPage(view: View, code: ErrorCode, siteUrl: string): string {
  const { lang } = view;
  const texts = view.texts.errorPages;
  const { meaning, advice } = texts.codes[code];
  const { status, message, retry } = ERRORS[code];
  const body = html`<article class="prose">
<p class="crumb"><a href="${localHref('/docs/errors', lang)}">${texts.back}</a></p>
<h1 class="error-code" translate="no">${breakable(code)}</h1>
<p class="lead"><span class="chip ${status >= 500 ? 'bad' : 'warn'}">HTTP ${status}</span></p>
<dl class="facts">
<dt>${texts.whatHappened}</dt><dd>${meaning}</dd>
${lang !== 'ru' && html`<dt>${texts.apiMessage}</dt><dd lang="ru">${message}</dd>`}
<dt>${texts.whatToDo}</dt><dd>${advice}</dd>
<dt>${texts.retryQuestion}</dt><dd>${retry ? texts.retryYesLong : texts.retryNoLong}</dd>
<dt>${texts.chargedQuestion}</dt><dd>${texts.chargedNever}</dd>
</dl>
<h2>${texts.example}</h2>
${codeBlock(view, { id: 'example', label: `HTTP ${status}`, code: exampleAnswer(code, siteUrl) })}
${relatedCodes(view, code)}
</article>`;
  return renderDocument(view, `${code} · ${texts.listTitle}`, body);
}

/** 404 for a code that is not in the catalogue. */
export function unknownErrorPage(view: View): string {
  const texts = view.texts.errorPages;
  const suggested = suggestPages(view.site?.path ?? '', listSitePages(view)).map(
    ({ path, title }) => html`<li><a href="${localHref(path, view.lang)}">${title}</a></li>\n`,
  );
  const body = html`<div class="prose">
<h1>${texts.unknownTitle}</h1>
<p class="lead">${texts.unknownText}</p>
${suggested.length > 0 && html`<h2>${view.texts.notFound.perhaps}</h2><ul class="suggestions">${suggested}</ul>`}
<p class="lead"><a href="${localHref('/docs/errors', view.lang)}">${texts.back}</a></p>
</div>`;
  return renderDocument(view, texts.unknownTitle, body);
}

function renderDocument(view: View, title: string, body: Html): string {
  return renderPage(view, { title: `${title} · Zhiber`, body, shell: 'site', isIndexed: true });
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
<td role="cell"><span class="narrow-only">${columns.retry} </span>${retry ? retryYes : retryNo}</td>
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
