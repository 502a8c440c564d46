/** Texts with placeholders, like `to={{phone}}`, and the rules of the places they stand in. */
import { parseXml, type XmlElement } from '../../runtime/xml.ts';
import {
  entriesOf,
  type FileValue,
  itemsOf,
  listOf,
  readLines,
  readText,
  report,
} from './file-value.ts';

export type Template = readonly Piece[];
export type Piece = string | Placeholder;
export type Placeholder = { name: string; encoding: Encoding | undefined };
export type Encoding = 'url' | 'base64';

/** The parts of a document; a placeholder is escaped by where it stands. */
export type XmlTemplate = readonly (string | (Placeholder & { place: 'text' | 'attribute' }))[];

export type JsonTemplate =
  | { kind: 'text'; template: Template }
  /** Written as a number. */
  | { kind: 'number'; name: string }
  | { kind: 'constant'; value: number | boolean | null }
  | { kind: 'list'; items: readonly JsonTemplate[] }
  | { kind: 'object'; members: readonly (readonly [string, JsonTemplate])[] };

/** What placeholders there are, and what is known of their values. */
export type Vocabulary = {
  names: ReadonlySet<string>;
  /** Those that some messages have no value for. */
  optional: ReadonlySet<string>;
  /** Collects the names that are used. */
  uses: Set<string>;
};

/** Other values consist of digits, or are written by the operator. */
const FREE_TEXTS: ReadonlySet<string> = new Set(['text', 'link', 'sender']);
const NUMBERS: ReadonlySet<string> = new Set(['phone', 'ttl_minutes', 'ttl_seconds']);
const SECRET = /^secret\.[A-Z][A-Z0-9_]{0,63}$/;
const ENCODINGS = ['url', 'base64'] as const;

/** Where every value is escaped: a field of a form or query. */
export function readField(item: FileValue, vocabulary: Vocabulary): Template | undefined {
  // A field may be constant and empty.
  const text = item.value === '' ? '' : readText(item);
  return text === undefined ? undefined : parseTemplate(item, text, vocabulary);
}

/** Where nothing is escaped, and free text could be taken for something else. */
export function readPlain(item: FileValue, vocabulary: Vocabulary): Template | undefined {
  const text = readText(item);
  const template = text === undefined ? undefined : parseTemplate(item, text, vocabulary);
  return template && checkFreeTexts(item, template);
}

/** A whole body of text, which may be the text of the message and nothing else. */
export function readTextBody(item: FileValue, vocabulary: Vocabulary): Template | undefined {
  const text = readLines(item);
  const template = text === undefined ? undefined : parseTemplate(item, text, vocabulary);
  return template?.length === 1 ? template : template && checkFreeTexts(item, template);
}

function checkFreeTexts(item: FileValue, template: Template): Template | undefined {
  for (const piece of template) {
    if (typeof piece === 'string' || piece.encoding !== undefined) continue;
    if (!FREE_TEXTS.has(piece.name)) continue;
    const { name } = piece;
    return report(
      item,
      `has {{${name}}} where it cannot be escaped: write {{${name}:url}} or {{${name}:base64}}`,
    );
  }
  return template;
}

/** A part of the address. Nothing can be left out there. */
export function parseTarget(
  item: FileValue,
  text: string,
  vocabulary: Vocabulary,
): Template | undefined {
  const template = parseTemplate(item, text, vocabulary);
  let isPath = true;
  for (const piece of template ?? []) {
    if (typeof piece === 'string') {
      isPath &&= !piece.includes('?');
      continue;
    }
    const { name } = piece;
    if (vocabulary.optional.has(name)) {
      return report(item, `has {{${name}}}, which some messages do not have: move it to "query"`);
    }
    if (isPath && FREE_TEXTS.has(name)) {
      return report(item, `has {{${name}}} in its path: move it to "query"`);
    }
  }
  return template;
}

/** Undefined when a placeholder is not understood. */
function parseTemplate(
  item: FileValue,
  text: string,
  vocabulary: Vocabulary,
): Template | undefined {
  const pieces: Piece[] = [];
  let isRight = true;
  for (const part of text.split(/(\{\{[^{}]*\}\})/)) {
    if (part === '') continue;
    if (part.startsWith('{{') && part.endsWith('}}')) {
      const placeholder = parsePlaceholder(item, part.slice(2, -2).trim(), vocabulary);
      if (placeholder === undefined) isRight = false;
      else pieces.push(placeholder);
    } else if (part.includes('{{') || part.includes('}}')) {
      report(item, `has brackets that are not a placeholder, in ${JSON.stringify(part)}`);
      isRight = false;
    } else {
      pieces.push(part);
    }
  }
  return isRight ? pieces : undefined;
}

function parsePlaceholder(
  item: FileValue,
  inside: string,
  { names, uses }: Vocabulary,
): Placeholder | undefined {
  const [name = '', word, ...rest] = inside.split(':');
  const encoding = ENCODINGS.find((one) => one === word);
  if (rest.length > 0 || (word !== undefined && encoding === undefined)) {
    return report(item, `has {{${inside}}}, which should end with :${listOf(ENCODINGS)}`);
  }
  const isSecret = name.startsWith('secret.');
  if (isSecret && !SECRET.test(name)) {
    return report(item, `has {{${name}}}, which should be like {{secret.GATEWAY_PASSWORD}}`);
  }
  if (!isSecret && !names.has(name)) {
    const known = [...names, 'secret.NAME'].map((one) => `{{${one}}}`);
    return report(item, `has {{${name}}}, which is not known here; known are ${known.join(', ')}`);
  }
  uses.add(name);
  return { name, encoding };
}

const NUMBER = /^\{\{\s*(\w+):number\s*\}\}$/;

export function readJsonTemplate(
  item: FileValue,
  vocabulary: Vocabulary,
): JsonTemplate | undefined {
  const { value } = item;
  if (value === undefined) return report(item, 'should be given');
  if (typeof value === 'string') return readJsonText(item, value, vocabulary);
  if (Array.isArray(value)) {
    if (value.length === 0) return { kind: 'list', items: [] };
    const items = itemsOf(item)?.map((one) => readJsonTemplate(one, vocabulary)) ?? [];
    return items.every((one) => one !== undefined) ? { kind: 'list', items } : undefined;
  }
  if (typeof value !== 'object' || value === null) {
    return { kind: 'constant', value: value as number | boolean | null };
  }
  const members = (entriesOf(item) ?? []).map(([name, member]) => {
    if (name.includes('{{')) return report(member, 'should have no placeholder in its name');
    const template = readJsonTemplate(member, vocabulary);
    return template && ([name, template] as const);
  });
  return members.every((one) => one !== undefined) ? { kind: 'object', members } : undefined;
}

function readJsonText(
  item: FileValue,
  text: string,
  vocabulary: Vocabulary,
): JsonTemplate | undefined {
  const name = NUMBER.exec(text)?.[1];
  if (name === undefined) {
    const template = parseTemplate(item, text, vocabulary);
    return template && { kind: 'text', template };
  }
  if (!NUMBERS.has(name) || !vocabulary.names.has(name)) {
    const known = [...NUMBERS].filter((one) => vocabulary.names.has(one));
    return report(item, `has {{${name}:number}}; only ${listOf(known)} can be a number`);
  }
  vocabulary.uses.add(name);
  return { kind: 'number', name };
}

/** Private characters that stand for the placeholders while the document is read. */
const MARK_FIRST = 0xe000;
const MARK = /[\ue000-\uf8ff]/;
const MARKS = /([\ue000-\uf8ff])/;

/** A placeholder stands in a text or in the value of an attribute, and nowhere else. */
export function readXmlTemplate(item: FileValue, vocabulary: Vocabulary): XmlTemplate | undefined {
  const text = readLines(item);
  if (text === undefined) return undefined;
  const template = parseTemplate(item, text, vocabulary);
  if (template === undefined) return undefined;
  if (MARK.test(text)) return report(item, 'has a character of a private area of Unicode');
  if (text.includes('<![CDATA[')) {
    return report(item, 'should have no CDATA: values are escaped where they stand');
  }
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(text)?.[1];
  if (declared !== undefined && declared.toLowerCase() !== 'utf-8') {
    return report(item, `declares the encoding ${declared}, and requests are sent in UTF-8`);
  }
  let count = 0;
  const marked = template.map((piece) =>
    typeof piece === 'string' ? piece : String.fromCharCode(MARK_FIRST + count++),
  );
  const document = parseXml(marked.join(''));
  if (document === undefined) {
    return report(
      item,
      'should be well-formed XML, with placeholders only in texts and attributes',
    );
  }
  const inTexts = new Set<string>();
  const inAttributes = new Set<string>();
  collectMarks(document, { inTexts, inAttributes });
  const pieces = template.map((piece, index) => {
    if (typeof piece === 'string') return piece;
    const mark = marked[index] as string;
    const isFound = inTexts.has(mark) || inAttributes.has(mark);
    if (isFound) return { ...piece, place: inTexts.has(mark) ? 'text' : 'attribute' } as const;
    return report(
      item,
      `has {{${piece.name}}} where it is neither text nor the value of an attribute`,
    );
  });
  return pieces.every((piece) => piece !== undefined) ? pieces : undefined;
}

function collectMarks(
  element: XmlElement,
  found: { inTexts: Set<string>; inAttributes: Set<string> },
): void {
  const marksIn = (text: string) => text.split(MARKS).filter((part) => MARK.test(part));
  for (const mark of marksIn(element.text)) found.inTexts.add(mark);
  for (const value of element.attributes.values()) {
    for (const mark of marksIn(value)) found.inAttributes.add(mark);
  }
  for (const child of element.children) collectMarks(child, found);
}
