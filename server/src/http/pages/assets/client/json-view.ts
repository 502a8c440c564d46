import { type JsonToken, jsonTokens } from './json-tokens.ts';

/** Printed JSON with its values coloured, as nodes: nothing in it is ever read as markup. */
export function jsonNodes(value: unknown): Node[] {
  return jsonTokens(value).map(tokenNode);
}

function tokenNode({ text, kind }: JsonToken): Node {
  if (kind === 'plain') return document.createTextNode(text);
  const span = document.createElement('span');
  span.textContent = text;
  span.className = `json-${kind}`;
  return span;
}
