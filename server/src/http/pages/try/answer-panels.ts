import { CODE_LANGUAGE_TITLES, CODE_LANGUAGES } from '../assets/client/snippets.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import type { TryTexts } from '../texts/try-texts-ru.ts';
import { choice } from './choice.ts';

/**
 * One field, not six boxes: it can be pasted into and read back, and nothing is sent before the
 * button.
 */
export function verifyPanel(texts: TryTexts): Html {
  return html`<section class="panel" id="verify-panel" aria-labelledby="verify-title">
<h2 id="verify-title">${texts.verify}</h2>
<p class="hint" id="verify-for">${texts.live.verifyNothing}</p>
<form id="verify" novalidate>
<label class="field"><span>${texts.code}</span>
<input id="code" inputmode="numeric" autocomplete="one-time-code" maxlength="32" spellcheck="false" aria-keyshortcuts="v" aria-describedby="verify-for verify-outcome"></label>
<button class="button">${texts.verifyButton}</button>
<p id="verify-outcome" role="status"></p>
</form>
</section>`;
}

export function codePanel(texts: TryTexts): Html {
  const languages = CODE_LANGUAGES.map((value) => ({
    value,
    label: CODE_LANGUAGE_TITLES[value],
  }));
  return html`<details class="panel" id="code-panel" open>
<summary><h2>${texts.asCode}</h2></summary>
<div class="code-tools">
${choice({ name: 'code-language', legend: texts.codeLanguage, options: languages })}
<button type="button" class="button small" id="copy-request">${icon('copy')}<span>${texts.copyCode}</span></button>
</div>
<pre class="code-text" lang="en" translate="no"><code id="request-code"></code></pre>
<label class="check"><input type="checkbox" id="reveal-key"><span>${texts.revealKey}</span></label>
</details>`;
}

export function answerPanel(texts: TryTexts): Html {
  return html`<details class="panel" id="answer-panel" open>
<summary><h2>${texts.answer}</h2></summary>
<p id="answer-summary" class="answer-summary" role="status">${texts.noAnswer}</p>
<pre id="answer-body" class="code-text" lang="ru" translate="no" hidden></pre>
<p id="answer-links" class="answer-links"></p>
</details>`;
}

export function storyPanel(texts: TryTexts): Html {
  return html`<section class="panel" aria-labelledby="story-title">
<h2 id="story-title">${texts.story}</h2>
<p id="story-summary" class="hint">${texts.noStory}</p>
<ol id="story" class="story"></ol>
<template id="step-template"><li><span class="dot" aria-hidden="true"></span>
<div><p><strong data-part="word"></strong> <span data-part="channel"></span> <time data-part="time"></time></p>
<p class="hint" data-part="text" lang="ru"></p></div></li></template>
</section>`;
}
