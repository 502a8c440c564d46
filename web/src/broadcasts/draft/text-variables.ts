/** The variable that stands for a column in a text. */
export function variableOf(column: string): string {
  return `{{${column}}}`;
}

/** Whether a text asks for the recipient's own short link. */
export function hasLink(text: string): boolean {
  return /:link(?![\p{L}\p{N}_])/u.test(text);
}

/** How many variables an approved template of WhatsApp has: the highest of {{1}}, {{2}} … */
export function templateVariables(body: string): number {
  const numbers = [...body.matchAll(/\{\{\s*(\d{1,2})\s*\}\}/g)].map(([, digits]) =>
    Number(digits),
  );
  return Math.max(0, ...numbers);
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
