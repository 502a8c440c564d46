import { type Html, html } from './html.ts';

/** A text with its `{name}`s replaced. A name without a value is a mistake of ours. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}} in "${text}"`);
    return String(value);
  });
}

/** A text whose `backquoted` words are code. */
export function withCode(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
