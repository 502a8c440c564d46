import { html } from './html.ts';
import type { Lang } from './language.ts';
import { renderPage } from './layout.ts';
import { TRY_TEXTS } from './texts/try-texts.ts';
import { answerPanel, codePanel, storyPanel, verifyPanel } from './try/answer-panels.ts';
import { helpDialog } from './try/help-dialog.ts';
import { interferencePanel, phonePanel } from './try/phone-panel.ts';
import { requestPanel } from './try/request-panel.ts';

/** `/try`: a request on the left, a phone on the right. The sandbox alone has this page. */
export function tryPage({ lang }: { lang: Lang }): string {
  const texts = TRY_TEXTS[lang];
  const body = html`<div class="try-head">
<div><h1>${texts.title}</h1><p class="hint">${texts.lead}</p></div>
<p class="balance"><span id="company"></span> <span>${texts.balance}</span> <strong id="balance">—</strong></p>
<button type="button" class="button small" id="open-help" aria-keyshortcuts="?"><kbd aria-hidden="true">?</kbd>${texts.help}</button>
</div>
<noscript><p class="stripe">${texts.noScript}</p></noscript>
<div class="try" id="try" data-texts="${JSON.stringify(texts.live)}">
<div class="try-ask">${requestPanel(texts)}${codePanel(texts)}</div>
<div class="try-told">${answerPanel(texts)}${storyPanel(texts)}${verifyPanel(texts)}</div>
<div class="try-side"><div class="try-phone">${phonePanel(texts)}</div>${interferencePanel(texts)}</div>
</div>
<p id="toast" class="toast" role="status"></p>
${helpDialog(texts)}`;
  return renderPage({
    lang,
    title: `${texts.title} · Zhiber`,
    body,
    shell: 'site',
    isSandbox: true,
    isIndexed: false,
    styles: ['try', 'try-form', 'try-answer', 'try-phone', 'try-switches'].map(stylePath),
    script: 'client/try/main.js',
    preload: 'client/try',
  });
}

function stylePath(name: string): string {
  return `styles/${name}.css`;
}
