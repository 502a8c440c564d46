import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import type { TryTexts } from '../texts/try-texts-ru.ts';

/** The phone: it shows what a person would see, and nothing of the machinery. */
export function phonePanel(texts: TryTexts): Html {
  return html`<section class="device" id="device" aria-labelledby="device-title">
<h2 id="device-title" class="visually-hidden">${texts.device}</h2>
<div class="device-bar"><time id="clock"></time><span>${texts.city}</span>${icon('signal')}</div>
<p id="connection" class="device-alert" role="status" hidden></p>
<div id="messages" class="device-screen" role="log" aria-live="polite" aria-label="${texts.messages}" aria-busy="true" tabindex="0">
<div id="no-messages" class="device-empty">${icon('phone')}<p><strong>${texts.emptyPhone}</strong></p><p>${texts.emptyPhoneHint}</p></div>
<ol id="message-list" hidden></ol>
</div>
<button type="button" class="button small" id="show-all" aria-expanded="false" aria-controls="message-list" hidden>${texts.showAll}</button>
${bubbleTemplate(texts)}
</section>
<div class="device-foot"><button type="button" class="button small" id="clear">${texts.clear}</button></div>`;
}

export function interferencePanel(texts: TryTexts): Html {
  const { switches, switchHints } = texts;
  return html`<fieldset class="panel switches" id="switches">
<legend>${texts.interference}</legend>
${switchRow('no_whatsapp', switches.no_whatsapp)}
${switchRow('no_telegram', switches.no_telegram)}
${switchRow('offline', switches.offline, switchHints.offline)}
${switchRow('not_mobile', switches.not_mobile, switchHints.not_mobile)}
</fieldset>`;
}

function switchRow(name: string, label: string, hint?: string): Html {
  return html`<label class="switch"><input type="checkbox" role="switch" name="${name}" disabled>
<span>${label}${hint !== undefined && html` <small>${hint}</small>`}</span></label>`;
}

function bubbleTemplate(texts: TryTexts): Html {
  const icons = [...CHANNELS, 'email' as const].map(
    (channel) => html`<span data-icon="${channel}">${icon(channel)}</span>`,
  );
  return html`<template id="bubble-template"><li class="bubble">
<p class="bubble-head">${icons}<strong data-part="channel"></strong><span class="chip" data-part="mode"></span><time data-part="time"></time></p>
<p class="bubble-to" data-part="to"></p>
<p class="bubble-text" data-part="text" lang="ru"></p>
<button type="button" class="bubble-code" data-part="copy"><span class="visually-hidden">${texts.copyThisCode} </span><span data-part="code"></span>${icon('copy')}</button>
<button type="button" class="link-button" data-part="story">${texts.showStory}</button>
</li></template>`;
}
