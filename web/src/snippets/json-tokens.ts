/** One token of printed JSON: a string (with its colon, if it is a name), a number or a word. */
const TOKEN =
  /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\btrue\b|\bfalse\b|\bnull\b/g;

export type JsonToken = { text: string; kind: 'plain' | 'name' | 'text' | 'value' };

/** Printed JSON in pieces that can be coloured; together they are its whole text. */
export function jsonTokens(value: unknown): JsonToken[] {
  const text = JSON.stringify(value, null, 2) ?? '';
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    tokens.push({ text: text.slice(end, match.index), kind: 'plain' });
    tokens.push({ text: match[0], kind: kindOf(match) });
    end = match.index + match[0].length;
  }
  return [...tokens, { text: text.slice(end), kind: 'plain' }];
}

function kindOf([, text, colon]: RegExpExecArray): JsonToken['kind'] {
  if (colon !== undefined) return 'name';
  return text === undefined ? 'value' : 'text';
}
