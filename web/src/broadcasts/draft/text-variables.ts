import { parseText } from '@zhiber/contract/message/broadcast-text.ts';

/** The variable that stands for a column in a text. */
export function variableOf(column: string): string {
  return `{{${column}}}`;
}

/** Whether a text asks for the recipient's own short link. */
export function hasLink(text: string): boolean {
  return parseText(text, []).hasLink;
}

/** Whether a template of WhatsApp asks for it, in a button or in one of its variables. */
export function needsLink(
  template: { has_link?: boolean | undefined; variables: readonly string[] } | null,
): boolean {
  return template !== null && (template.has_link === true || template.variables.some(hasLink));
}

/** How many variables an approved template of WhatsApp has: the highest of {{1}}, {{2}} … */
export function templateVariables(body: string): number {
  const numbers = [...body.matchAll(/\{\{\s*(\d{1,2})\s*\}\}/g)].map(([, digits]) =>
    Number(digits),
  );
  return Math.max(0, ...numbers);
}

/** The text of a template with what stands for its variables, as the author wrote it. */
export function filledBody({ body, variables }: { body: string; variables: readonly string[] }) {
  return body.replaceAll(
    /\{\{\s*(\d{1,2})\s*\}\}/g,
    (place, digits) => variables[Number(digits) - 1] || place,
  );
}

/** A text with a part inserted in place of what is selected, and where the cursor goes then. */
export function insertAt(
  text: string,
  part: string,
  { start, end }: { start: number; end: number },
): { text: string; cursor: number } {
  const before = text.slice(0, start);
  // A link that touches a word would not be found in it.
  const space = part === ':link' && /\S$/.test(before) ? ' ' : '';
  return {
    text: `${before}${space}${part}${text.slice(end)}`,
    cursor: start + space.length + part.length,
  };
}
