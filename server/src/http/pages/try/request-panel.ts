import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import { QUICK_SCENARIOS, SCENARIOS } from '../assets/client/scenarios.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import type { TryTexts } from '../texts/try-texts-ru.ts';
import { choice } from './choice.ts';

/** The request as a form. Nothing is validated here: a wrong field is for the API to answer. */
export function requestPanel(texts: TryTexts): Html {
  return html`<section class="panel" aria-labelledby="request-title">
<h2 id="request-title">${texts.request}</h2>
<form id="request" novalidate autocomplete="off">
${choice({ name: 'kind', legend: texts.kind, options: options(texts.kinds) })}
${choice({ name: 'mode', legend: texts.key, options: options(texts.keys) })}
<p class="hint" id="mode-hint" data-test="${texts.keyHints.test}" data-live="${texts.keyHints.live}">${texts.keyHints.test}</p>
${recipientFields(texts)}
${contentFields(texts)}
${choice({ name: 'channel', legend: texts.channel, options: channelOptions() })}
${purposeField(texts)}
${sendRow(texts)}
</form>
</section>`;
}

function recipientFields(texts: TryTexts): Html {
  return html`<div data-kinds="otp link" class="stack">
<div class="pair">
<label class="field"><span>${texts.phone}</span>
<input id="phone" type="tel" value="${SCENARIOS[0].phone}" maxlength="40" spellcheck="false"></label>
<label class="field"><span>${texts.scenario}</span>
<select id="scenario">
${SCENARIOS.map(({ id, phone }) => html`<option value="${phone}">${texts.scenarios[id]}</option>`)}
<option value="">${texts.ownNumber}</option>
</select></label>
</div>
<div class="quick" role="group" aria-label="${texts.quickGroup}">${QUICK_SCENARIOS.map(
    (id, index) => html`
<button type="button" class="button small" data-scenario="${phoneOf(id)}" aria-keyshortcuts="${index + 1}"><kbd aria-hidden="true">${index + 1}</kbd>${texts.quick[id]}</button>`,
  )}</div>
</div>
<label class="field" data-kinds="group"><span>${texts.group} <small>${texts.groupHint}</small></span>
<input id="group" list="groups" maxlength="128"></label>
<datalist id="groups"></datalist>`;
}

function contentFields(texts: TryTexts): Html {
  return html`<label class="field" data-kinds="link shorten"><span>${texts.url}</span>
<input id="url" type="url" value="https://example.kz/order/42" maxlength="2048" spellcheck="false"></label>
<label class="field" data-kinds="link group"><span>${texts.text} <small><span data-kinds="link">${texts.optional} · </span>${texts.textHint}</small></span>
<textarea id="text" rows="2" maxlength="4096"></textarea></label>
<label class="field" data-kinds="otp group"><span>${texts.link} <small>${texts.optional}</small></span>
<input id="link" type="url" maxlength="2048" spellcheck="false" placeholder="https://"></label>
<div class="pair" data-kinds="shorten">
<label class="field"><span>${texts.alias} <small>${texts.optional}</small></span>
<input id="alias" maxlength="64" spellcheck="false"></label>
<label class="field"><span>${texts.expiresIn} <small>${texts.optional}</small></span>
<input id="expires-in" inputmode="numeric" maxlength="9"></label>
</div>`;
}

function purposeField(texts: TryTexts): Html {
  return html`<details data-kinds="otp">
<summary>${texts.more}</summary>
<label class="field"><span>${texts.purpose} <small>${texts.purposeHint}</small></span>
<input id="purpose" maxlength="64" spellcheck="false"></label>
</details>`;
}

function sendRow(texts: TryTexts): Html {
  const { otp, link, shorten, group } = texts.send;
  return html`<div class="send-row">
<button id="send" class="button primary" data-otp="${otp}" data-link="${link}" data-shorten="${shorten}" data-group="${group}"><span>${otp}</span><kbd aria-hidden="true">⏎</kbd></button>
<output id="price" for="request"></output>
</div>`;
}

function options(labels: Record<string, string>): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

function channelOptions(): { value: string; label: string; mark: Html }[] {
  const { whatsapp, telegram, sms } = CHANNEL_TITLES;
  return [
    { value: 'auto', label: 'auto', mark: icon('auto') },
    { value: 'whatsapp', label: whatsapp, mark: icon('whatsapp') },
    { value: 'telegram', label: telegram, mark: icon('telegram') },
    { value: 'sms', label: sms, mark: icon('sms') },
  ];
}

function phoneOf(id: (typeof QUICK_SCENARIOS)[number]): string {
  return SCENARIOS.find((scenario) => scenario.id === id)?.phone ?? '';
}
