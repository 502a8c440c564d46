/**
 * An array of texts as PostgreSQL writes one. The driver sends a list of arrays as a table, whose
 * rows all have one length.
 */
export function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
