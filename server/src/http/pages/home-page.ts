import { type Html, html } from './html.ts';
import { codeBlock, localHref, renderPage, type View } from './layout.ts';

/** `/`: what this is, in plain words, and where to go next. `apiUrl` is the address of the API. */
export function homePage(view: View, apiUrl: string): string {
  const { lang, isSandbox } = view;
  const texts = view.texts.home;
  const body = html`<div class="prose">
<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
<ul class="plain-list">${texts.can.map((line) => html`<li>${line}</li>`)}</ul>
<ul class="doors">
${isSandbox && door({ href: localHref('/try', lang), title: texts.tryTitle, text: texts.tryText })}
${door({ href: '/api/openapi.json', title: texts.openapiTitle, text: texts.openapiText })}
${door({ href: localHref('/docs/errors', lang), title: texts.errorsTitle, text: texts.errorsText })}
</ul>
<h2>${texts.exampleTitle}</h2>
${codeBlock(view, { id: 'first-request', label: 'curl', code: firstRequest(apiUrl) })}
<p class="note">${texts.exampleNote}</p>
</div>`;
  return renderPage(view, { title: texts.pageTitle, body, shell: 'site', isIndexed: true });
}

function door(target: { href: string; title: string; text: string }): Html {
  return html`<li><a href="${target.href}">${target.title}</a><span>${target.text}</span></li>`;
}

function firstRequest(apiUrl: string): string {
  return `curl ${apiUrl}/otp/send \\
  -H "Authorization: Bearer $ZHIBER_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"phone": "+77000000000", "channel": "auto"}'`;
}
