/**
 * Reads small XML documents that anybody may have sent. Strict: what is not well-formed is not read.
 * Left out on purpose: document types, whose entities can make a small text huge; and the prefixes
 * of names, which every sender chooses anew.
 */

export type XmlElement = {
  /** Without its prefix. */
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly XmlElement[];
  /** All text directly in the element. */
  text: string;
};

type Open = { name: string; attributes: Map<string, string>; children: XmlElement[]; text: string };

/** No answer or receipt is deeper. */
const DEPTH_MAX = 64;
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?`;
const TAG = new RegExp(`<(${NAME})`, 'uy');
const ATTRIBUTE = new RegExp(String.raw`\s+(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`, 'uy');
const TAG_END = /\s*(\/?)>/y;
const CLOSING_TAG = new RegExp(String.raw`</(${NAME})\s*>`, 'uy');

/** A nameless element that holds the root; undefined when the text is not a document. */
export function parseXml(text: string): XmlElement | undefined {
  const document = openElement('');
  const opened = [document];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const match = (expression: RegExp) => {
    expression.lastIndex = at;
    const found = expression.exec(text);
    if (found !== null) at = expression.lastIndex;
    return found;
  };
  /** What is between two signs; undefined when the text does not go on like this. */
  const takeBetween = (begin: string, end: string) => {
    const to = text.startsWith(begin, at) ? text.indexOf(end, at + begin.length) : -1;
    if (to < 0) return undefined;
    const inside = text.slice(at + begin.length, to);
    at = to + end.length;
    return inside;
  };

  while (at < text.length) {
    const element = opened.at(-1) as Open;
    if ((takeBetween('<!--', '-->') ?? takeBetween('<?', '?>')) !== undefined) continue;
    const literal = element === document ? undefined : takeBetween('<![CDATA[', ']]>');
    if (literal !== undefined) {
      element.text += literal;
      continue;
    }
    if (text.startsWith('</', at)) {
      if (localName(match(CLOSING_TAG)?.[1]) !== element.name || element === document)
        return undefined;
      opened.pop();
      continue;
    }
    if (text[at] === '<') {
      const child = readTag(match);
      if (child === undefined || opened.length > DEPTH_MAX) return undefined;
      element.children.push(child.element);
      if (child.isOpen) opened.push(child.element);
      continue;
    }
    const end = text.indexOf('<', at);
    const written = decode(text.slice(at, end < 0 ? text.length : end));
    at = end < 0 ? text.length : end;
    if (written === undefined || (element === document && written.trim() !== '')) return undefined;
    element.text += written;
  }
  return opened.length === 1 && document.children.length === 1 ? document : undefined;
}

function openElement(name: string): Open {
  return { name, attributes: new Map(), children: [], text: '' };
}

function readTag(match: (expression: RegExp) => RegExpExecArray | null) {
  const name = match(TAG)?.[1];
  if (name === undefined) return undefined;
  const element = openElement(localName(name));
  for (let found = match(ATTRIBUTE); found !== null; found = match(ATTRIBUTE)) {
    const [, attribute = '', quoted, single] = found;
    const value = decode(quoted ?? single ?? '');
    const isDeclaration = attribute === 'xmlns' || attribute.startsWith('xmlns:');
    if (value === undefined || element.attributes.has(localName(attribute))) return undefined;
    if (!isDeclaration) element.attributes.set(localName(attribute), value);
  }
  const end = match(TAG_END);
  return end === null ? undefined : { element, isOpen: end[1] === '' };
}

function localName(name: string | undefined): string {
  return name?.slice(name.indexOf(':') + 1) ?? '';
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const CODE_POINT_MAX = 0x10_ffff;

/** Undefined when there is an ampersand that begins no known entity. */
function decode(written: string): string | undefined {
  let isWellFormed = true;
  const text = written
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/&(?:#x([0-9a-f]{1,6});|#(\d{1,7});|([a-z]+);)?/gi, (_, hex, decimal, name) => {
      const code = Number(hex === undefined ? decimal : `0x${hex}`);
      const character = code <= CODE_POINT_MAX ? String.fromCodePoint(code) : ENTITIES.get(name);
      isWellFormed &&= character !== undefined;
      return character ?? '';
    });
  return isWellFormed ? text : undefined;
}

/** The text as it has to be written between tags, or between quotation marks. */
export function escapeXml(text: string, place: 'text' | 'attribute'): string {
  const special = place === 'text' ? /[&<>\r]/g : /[&<>"'\r\n\t]/g;
  return text.replaceAll(special, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Whether XML can hold the text at all: no control characters, no half of a pair. */
export function canBeXml(text: string): boolean {
  return (
    text.isWellFormed() && !/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)
  );
}
