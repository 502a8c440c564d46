/**
 * JSON as YAML in block style. Every text is written as a JSON string, which YAML reads as it is, so
 * nothing is ever taken for a number, a date or a `no`.
 */
export function toYaml(value: unknown): string {
  return `${lines(value).join('\n')}\n`;
}

function lines(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => nested('- ', item, '  '));
  }
  if (isFilledObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) => {
      const key = `${plainKey(name)}:`;
      return isBlock(inner) ? [key, ...indent(lines(inner))] : [`${key} ${JSON.stringify(inner)}`];
    });
  }
  return [JSON.stringify(value)];
}

function nested(start: string, value: unknown, rest: string): string[] {
  return lines(value).map((line, i) => (i === 0 ? start : rest) + line);
}

function indent(block: string[]): string[] {
  return block.map((line) => `  ${line}`);
}

function isBlock(value: unknown): boolean {
  return (Array.isArray(value) && value.length > 0) || isFilledObject(value);
}

function isFilledObject(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0
  );
}

/** Words that YAML 1.1 reads as something else, and all that is not a plain word, are quoted. */
function plainKey(name: string): string {
  const isPlain =
    /^[A-Za-z_$][\w$.-]*$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name);
  return isPlain ? name : JSON.stringify(name);
}
