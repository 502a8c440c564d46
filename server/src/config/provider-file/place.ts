/** Where a value stands in an answer or a callback, as the file writes it for each format. */
import type { LinearRegExp } from '../../runtime/linear-regexp.ts';
import { type FileValue, listOf, readText, report } from './file-value.ts';

/** How a text is taken apart. */
export type DocumentFormat =
  | { format: 'json' | 'xml' | 'form' | 'query' }
  | { format: 'text'; pattern: LinearRegExp };

export type Place =
  /** A JSON Pointer (RFC 6901). */
  | { kind: 'json'; steps: readonly string[] }
  /** Elements by name, from 1 among those of one name; then an attribute, or the text of the last. */
  | { kind: 'xml'; steps: readonly XmlStep[]; attribute: string | undefined }
  /** A field of a form or query, or a group of the pattern. */
  | { kind: 'name'; name: string };

export type XmlStep = { name: string; number: number };

const XML_STEP = /^([\p{L}_][\p{L}\p{N}_.-]*)(?:\[([1-9]\d{0,3})\])?$/u;
const XML_ATTRIBUTE = /^@([\p{L}_][\p{L}\p{N}_.-]*)$/u;

export function readPlace(item: FileValue, document: DocumentFormat): Place | undefined {
  // An empty pointer is the whole document.
  const text = item.value === '' ? '' : readText(item);
  return text === undefined ? undefined : parsePlace(item, text, document);
}

export function parsePlace(
  item: FileValue,
  text: string,
  document: DocumentFormat,
): Place | undefined {
  switch (document.format) {
    case 'json':
      return parsePointer(item, text);
    case 'xml':
      return parsePath(item, text);
    case 'text':
      return parseGroup(item, text, document.pattern.groups);
    case 'form':
    case 'query':
      return text === '' ? report(item, 'should name a field') : { kind: 'name', name: text };
  }
}

function parsePointer(item: FileValue, text: string): Place | undefined {
  if (!/^(?:\/(?:[^~/]|~[01])*)*$/.test(text)) {
    return report(item, `should be a JSON Pointer like "/data/id", not ${JSON.stringify(text)}`);
  }
  const steps = text.split('/').slice(1);
  return {
    kind: 'json',
    steps: steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  };
}

function parsePath(item: FileValue, text: string): Place | undefined {
  const wrong = () =>
    report(
      item,
      `should be a path like "/response/sms[1]/@id" or "/response/code", not ${JSON.stringify(text)}`,
    );
  const [before, ...words] = text.split('/');
  if (before !== '' || words.length === 0) return wrong();
  const last = words.at(-1) ?? '';
  const attribute = XML_ATTRIBUTE.exec(last)?.[1];
  const names = attribute !== undefined || last === 'text()' ? words.slice(0, -1) : words;
  const steps = names.map((word) => XML_STEP.exec(word));
  if (!steps.every((step) => step !== null)) return wrong();
  return {
    kind: 'xml',
    steps: steps.map(([, name = '', number = '1']) => ({ name, number: Number(number) })),
    attribute,
  };
}

function parseGroup(item: FileValue, text: string, groups: ReadonlySet<string>): Place | undefined {
  if (groups.has(text)) return { kind: 'name', name: text };
  const known = groups.size === 0 ? 'which has none' : `such as ${listOf([...groups])}`;
  return report(item, `should be the name of a group of the pattern, ${known}`);
}
