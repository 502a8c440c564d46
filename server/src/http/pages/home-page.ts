import { type Html, html } from './html.ts';
import type { Lang } from './language.ts';
import { codeBlock, localHref, renderPage } from './layout.ts';
import { HOME_TEXTS } from './texts/home-texts.ts';

/**
 * `/`: what this is, in plain words, and where to go next. `baseUrl` is the address of the API,
 * `…/api`.
 */
export function homePage(home: { lang: Lang; baseUrl: string; isSandbox: boolean }): string {
  const { lang, baseUrl, isSandbox } = home;
  const texts = HOME_TEXTS[lang];
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
${codeBlock({ id: 'first-request', label: 'curl', code: firstRequest(baseUrl), lang })}
<p class="note">${texts.exampleNote}</p>
</div>`;
  return renderPage({
    lang,
    title: texts.pageTitle,
    body,
    shell: 'site',
    isSandbox,
    isIndexed: true,
    styles: ['styles/documents.css'],
    script: 'client/copy-buttons.js',
  });
}

function door(target: { href: string; title: string; text: string }): Html {
  return html`<li><a href="${target.href}">${target.title}</a><span>${target.text}</span></li>`;
}

function firstRequest(baseUrl: string): string {
  return `curl ${baseUrl}/otp/send \\
  -H "Authorization: Bearer $ZHIBER_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"phone": "+77000000000", "channel": "auto"}'`;
}
