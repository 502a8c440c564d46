import type { ComponentState, StatusSnapshot, StatusTexts } from '@zhiber/contract/pages/status.ts';
import { worstOf } from '../../../status/component-state.ts';
import { html } from '../html.ts';

/** White on each of them has a contrast of 4.5 at least. */
const COLOURS = {
  operational: '#17693a',
  maintenance: '#1a5a9e',
  degraded: '#8a4b00',
  partial: '#a33b00',
  major: '#b3261e',
  unknown: '#5b616e',
} as const satisfies Record<ComponentState | 'unknown', string>;

/** A little more than the widest letters of the usual sans-serif at 11 px take. */
const LETTER_WIDTH = 6.8;
const PADDING = 8;
const HEIGHT = 20;

/** `/status/badge.svg`: attributes alone, because a page may forbid styles inside a picture. */
export function statusBadge({ components }: StatusSnapshot, texts: StatusTexts): string {
  const state = worstOf(components.map((component) => component.state)) ?? 'unknown';
  const [label, word] = [texts.badgeLabel, texts.states[state]];
  const widthOf = (text: string) => Math.ceil([...text].length * LETTER_WIDTH) + 2 * PADDING;
  const [left, right] = [widthOf(label), widthOf(word)];
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${label}: ${word}">
<title>${label}: ${word}</title>
<rect width="${left + right}" height="${HEIGHT}" rx="4" fill="${COLOURS[state]}"/>
<path d="M4 0h${left - 4}v${HEIGHT}H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z" fill="#33363d"/>
<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14" textLength="${left - 2 * PADDING}">${label}</text>
<text x="${left + right / 2}" y="14" textLength="${right - 2 * PADDING}">${word}</text>
</g>
</svg>
`.markup;
}
