import { type Html, html } from '../html.ts';
import type { TryTexts } from '../texts/try-texts-ru.ts';

/**
 * The keys, and the switch that WCAG 2.1.4 asks for: single keys can get in the way of speech
 * input.
 */
export function helpDialog(texts: TryTexts): Html {
  const rows = [
    ['⏎', texts.shortcuts.send],
    ['c', texts.shortcuts.copy],
    ['v', texts.shortcuts.verify],
    ['1–4', texts.shortcuts.scenarios],
    ['?', texts.shortcuts.help],
  ] as const;
  return html`<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">${texts.helpTitle}</h2>
<dl class="keys">${rows.map(([key, meaning]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${meaning}</dd></div>`)}</dl>
<label class="check"><input type="checkbox" id="shortcuts-on" checked><span>${texts.shortcutsOn}</span></label>
<p class="hint">${texts.shortcutsNote}</p>
<form method="dialog"><button class="button">${texts.close}</button></form>
</dialog>`;
}
