/** One token of printed JSON: a string (with its colon, if it is a name), a number or a word. */
const TOKEN =
  /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\btrue\b|\bfalse\b|\bnull\b/g;

/** Printed JSON with its values coloured, as nodes: nothing in it is ever read as markup. */
export function jsonNodes(value: unknown): Node[] {
  const text = JSON.stringify(value, null, 2) ?? '';
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    nodes.push(document.createTextNode(text.slice(end, match.index)));
    nodes.push(tokenNode(match));
    end = match.index + match[0].length;
  }
  nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

function tokenNode(match: RegExpExecArray): HTMLElement {
  const [token, text, colon] = match;
  const span = document.createElement('span');
  span.textContent = token;
  if (colon !== undefined) span.className = 'json-name';
  else span.className = text === undefined ? 'json-value' : 'json-text';
  return span;
}
