/**
 * Markup that is already safe to send. Only the `html` tag and `trustedHtml` make it, so nothing is
 * forgotten on the way.
 */
export type Html = { readonly markup: string };

export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Markup that the build of this very version made. Nothing that a person sent may come here. */
export function trustedHtml(markup: string): Html {
  return { markup };
}

/** Builds markup from a template. Every value is escaped unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let markup = strings[0] ?? '';
  parts.forEach((part, index) => {
    markup += toMarkup(part) + (strings[index + 1] ?? '');
  });
  return { markup };
}

function toMarkup(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  if ('markup' in part) return part.markup;
  return part.map(toMarkup).join('');
}
