/**
 * The text of a broadcast: `{{column}}` or `{{column|default}}` stands for a cell of the recipient's
 * row, `:link` for their own short link, `:stop` for their link to unsubscribe. A text is parsed
 * once and filled for each recipient. What a cell holds is inserted as it is, never read as a part
 * of the text.
 */
import type { Channel } from '../api/channel.ts';
import { SMS_SEGMENTS_MAX } from '../api/limits.ts';
import type { MessageLanguage } from './message-text.ts';
import { countParts } from './sms-parts.ts';

type Part =
  | { kind: 'text'; text: string }
  /** `column` is a place in the cells, from 0; undefined when there is no such column. */
  | { kind: 'cell'; name: string; column: number | undefined; fallback: string | undefined }
  | { kind: 'link' }
  | { kind: 'stop' };

export type ParsedText = {
  parts: readonly Part[];
  hasLink: boolean;
  hasStop: boolean;
  /** Variables without a column, as they were written, and braces without their other half. */
  unknown: readonly string[];
  /** Columns whose empty cells leave a gap: they are used without a default. */
  needed: readonly { name: string; column: number }[];
};

/** What differs between recipients. */
export type RecipientFacts = {
  cells: readonly string[];
  /** Null when the text has none. */
  link: string | null;
  unsubscribeUrl: string;
};

const TOKEN = /\{\{((?:(?!\{\{|\}\})[^\n])*)\}\}|:link|:stop|\{\{|\}\}/g;

export function parseText(text: string, columns: readonly string[]): ParsedText {
  const places = placesOf(columns);
  const source = cleanText(text);
  const parts: Part[] = [];
  const unknown: string[] = [];
  let from = 0;
  for (const match of source.matchAll(TOKEN)) {
    if (match.index > from) parts.push({ kind: 'text', text: source.slice(from, match.index) });
    from = match.index + match[0].length;
    const [token, inside] = match;
    if (token === ':link') parts.push({ kind: 'link' });
    else if (token === ':stop') parts.push({ kind: 'stop' });
    else if (inside === undefined) unknown.push(bracesAt(source, match.index));
    else {
      const [name = '', fallback] = splitOnce(inside);
      const column = places.get(foldName(name));
      if (column === undefined) unknown.push(name);
      parts.push({ kind: 'cell', name, column, fallback });
    }
  }
  if (from < source.length) parts.push({ kind: 'text', text: source.slice(from) });
  return {
    parts,
    hasLink: parts.some(({ kind }) => kind === 'link'),
    hasStop: parts.some(({ kind }) => kind === 'stop'),
    unknown: [...new Set(unknown)],
    needed: neededColumns(parts),
  };
}

/** The text for one recipient. Braces without their other half are left out, never sent. */
export function fillText(parsed: ParsedText, facts: RecipientFacts): string {
  let text = '';
  for (const part of parsed.parts) {
    switch (part.kind) {
      case 'text':
        text += part.text;
        break;
      case 'link':
        text += facts.link ?? '';
        break;
      case 'stop':
        text += facts.unsubscribeUrl;
        break;
      case 'cell':
        text += cellOf(part.column, facts.cells) || (part.fallback ?? '');
        break;
    }
  }
  return text.trim();
}

/** The parts of a body with `{{1}}`, and a text for each variable. */
export type ParsedTemplate = {
  body: readonly (string | number)[];
  hasLink: boolean;
  variables: readonly ParsedText[];
  /** Variables of the body that have no text. */
  missing: readonly number[];
};

export type TemplateText = {
  body: string;
  /** A button of it opens the recipient's own short link. */
  has_link?: boolean | undefined;
  variables: readonly string[];
};

export function parseTemplate(template: TemplateText, columns: readonly string[]): ParsedTemplate {
  const body = cleanText(template.body)
    .split(/(\{\{\s*\d{1,2}\s*\}\})/)
    .map((part, place) => (place % 2 === 0 ? part : Number(part.replaceAll(/[{}\s]/g, ''))));
  const numbers = body.filter((part) => typeof part === 'number');
  return {
    body,
    hasLink: template.has_link === true,
    variables: template.variables.map((text) => parseText(text, columns)),
    missing: numbers.filter((number) => !template.variables[number - 1]?.trim()),
  };
}

/** The whole text, and the values of the variables as WhatsApp takes them. */
export function fillTemplate(
  { body, variables }: ParsedTemplate,
  facts: RecipientFacts,
): { text: string; variables: string[] } {
  // WhatsApp refuses values with line breaks or a row of spaces.
  const values = variables.map((text) => cleanCell(fillText(text, facts)).replace(/ {2,}/g, ' '));
  const parts = body.map((part) => (typeof part === 'string' ? part : (values[part - 1] ?? '')));
  return { text: parts.join('').trim(), variables: values };
}

type Words = Readonly<Record<MessageLanguage, (url: string) => string>>;

/**
 * The line that tells people how to unsubscribe, for the channels that ask for it. A WhatsApp
 * template has its own, as a button or in its approved text.
 */
export const UNSUBSCRIBE_LINES: Readonly<Record<Channel, Words | null>> = {
  whatsapp: null,
  telegram: {
    ru: (url) => `\n\nОтписаться: ${url} или ответьте СТОП`,
    kk: (url) => `\n\nБас тарту: ${url} немесе ТОҚТА деп жауап беріңіз`,
    both: (url) => `\n\nОтписаться / Бас тарту: ${url} или ответьте СТОП / ТОҚТА`,
  },
  // An SMS is short, and every letter may cost another part.
  sms: {
    ru: (url) => `\nОткл: ${url}`,
    kk: (url) => `\nБас тарту: ${url}`,
    both: (url) => `\nОткл/Бас тарту: ${url}`,
  },
};

/** Everything that people get from one broadcast, parsed. */
export type ParsedBroadcast = {
  text: ParsedText;
  /** Null without WhatsApp. */
  template: ParsedTemplate | null;
  language: MessageLanguage;
};

export function parseBroadcast(broadcast: {
  text: string;
  template: TemplateText | null;
  columns: readonly string[];
  language: MessageLanguage;
}): ParsedBroadcast {
  const { text, template, columns, language } = broadcast;
  return {
    text: parseText(text, columns),
    template: template && parseTemplate(template, columns),
    language,
  };
}

/** The message for one recipient in one channel, with the line to unsubscribe where it asks for it. */
export function renderBroadcast(
  { text, template, language }: ParsedBroadcast,
  channel: Channel,
  facts: RecipientFacts,
): string {
  if (channel === 'whatsapp' && template !== null) return fillTemplate(template, facts).text;
  const line = text.hasStop ? null : UNSUBSCRIBE_LINES[channel];
  const filled = fillText(text, facts);
  return line === null ? filled : filled + line[language](facts.unsubscribeUrl);
}

/** The texts that the given channels use. */
export function usedTexts(
  { text, template }: ParsedBroadcast,
  channels: readonly Channel[],
): ParsedText[] {
  const isTextUsed = channels.length === 0 || channels.some((channel) => channel !== 'whatsapp');
  const variables = channels.includes('whatsapp') ? (template?.variables ?? []) : [];
  return [...(isTextUsed ? [text] : []), ...variables];
}

/** Whether a recipient needs a short link of their own. */
export function needsLink(broadcast: ParsedBroadcast, channels: readonly Channel[]): boolean {
  const hasButton = channels.includes('whatsapp') && broadcast.template?.hasLink === true;
  return hasButton || usedTexts(broadcast, channels).some(({ hasLink }) => hasLink);
}

export function fitsSms(text: string): boolean {
  return countParts(text) <= SMS_SEGMENTS_MAX;
}

/** The value of a cell: one line, nothing that a phone cannot show, no spaces around it. */
export function cleanCell(cell: string): string {
  // Nearly every cell is clean already.
  const line = UNSEEN.test(cell) ? cell.replaceAll(UNSEEN_RUN, ' ') : cell;
  return line.trim();
}

/** Control characters, line and paragraph separators, bidirectional overrides, halves of a pair. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069\uFEFF]/u;
const UNSEEN_RUN = new RegExp(`${UNSEEN.source}+`, 'gu');

/** A text of the author keeps its lines. */
function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/(?!\n)[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFEFF]/gu, '');
}

function cellOf(column: number | undefined, cells: readonly string[]): string {
  return column === undefined ? '' : cleanCell(cells[column] ?? '');
}

/** Of columns with one name the first counts. */
function placesOf(columns: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [place, name] of columns.entries()) {
    const folded = foldName(name);
    if (folded !== '' && !places.has(folded)) places.set(folded, place);
  }
  return places;
}

/** Names are compared regardless of case, of spaces around them and of how letters are composed. */
function foldName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function splitOnce(inside: string): [name: string, fallback: string | undefined] {
  const bar = inside.indexOf('|');
  if (bar < 0) return [inside.trim(), undefined];
  return [inside.slice(0, bar).trim(), inside.slice(bar + 1).trim()];
}

const SHOWN_LENGTH = 20;

/** Lone braces with some of the text after or before them, so that the author finds them. */
function bracesAt(source: string, at: number): string {
  if (source.startsWith('{{', at)) return firstLine(source.slice(at, at + SHOWN_LENGTH));
  const before = source.slice(Math.max(0, at + 2 - SHOWN_LENGTH), at + 2);
  return before.slice(before.lastIndexOf('\n') + 1).trim();
}

function firstLine(text: string): string {
  return (text.split('\n')[0] as string).trim();
}

function neededColumns(parts: readonly Part[]): ParsedText['needed'] {
  const needed = new Map<number, string>();
  for (const part of parts) {
    if (part.kind !== 'cell' || part.column === undefined || part.fallback !== undefined) continue;
    if (!needed.has(part.column)) needed.set(part.column, part.name);
  }
  return [...needed].map(([column, name]) => ({ column, name }));
}
