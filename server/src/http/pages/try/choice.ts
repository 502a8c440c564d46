import { type Html, html } from '../html.ts';

export type Option = { value: string; label: string; mark?: Html };

/**
 * A row of radio buttons that looks like one control. Radios keep the arrow keys and the names for
 * free.
 */
export function choice(row: { name: string; legend: string; options: readonly Option[] }): Html {
  const radios = row.options.map(
    ({ value, label, mark }, index) => html`<label data-value="${value}">
<input type="radio" name="${row.name}" value="${value}" ${index === 0 && html`checked`}>
${mark}<span>${label}</span></label>`,
  );
  return html`<fieldset class="choice" data-choice="${row.name}">
<legend>${row.legend}</legend>
<div class="choice-row">${radios}</div>
</fieldset>`;
}
