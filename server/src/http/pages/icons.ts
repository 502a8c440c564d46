import { type Html, html } from './html.ts';

/** Neutral line icons on a 20-unit grid. They stand beside a word, so screen readers skip them. */
const PATHS = {
  whatsapp: html`<path d="M10 3a7 7 0 0 0-6 10.6L3 17l3.5-1A7 7 0 1 0 10 3Z"/>`,
  telegram: html`<path d="M3.5 10h12.5M11 5l5 5-5 5"/>`,
  sms: html`<path d="M3 4.5h14v9H9L5.5 16.5v-3H3zM6.5 9h.01M10 9h.01M13.5 9h.01"/>`,
  email: html`<path d="M3 5h14v10H3zM3 5.5l7 5.5 7-5.5"/>`,
  auto: html`<path d="M3 6h8l-2-2m2 2L9 8m8 6H9l2-2m-2 2 2 2"/>`,
  copy: html`<path d="M7 7h9v9H7zM4 13V4h9"/>`,
  signal: html`<path d="M4 15v-2m4 2V11m4 4V8m4 7V5"/>`,
  phone: html`<path d="M6 2.5h8v15H6zM9 15h2"/>`,
} as const;
export type IconName = keyof typeof PATHS;

export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">${PATHS[name]}</svg>`;
}
