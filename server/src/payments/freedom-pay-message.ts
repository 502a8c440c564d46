/**
 * Messages of Freedom Pay: named fields, as XML or as a form, and the signature that covers all of
 * them in both directions.
 */
import { createHash } from 'node:crypto';
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { randomBytes } from '../random.ts';
import { isSameSecret } from '../token.ts';

/** In the order of the message; a name may come more than once. */
export type Field = { name: string; value: string | Field[] };
export type Fields = readonly Field[];

export function toFields(values: Readonly<Record<string, string>>): Field[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** The text of a field; undefined when it is absent, empty or has parts of its own. */
export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields.find((field) => field.name === name)?.value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const SIGNATURE = 'pg_sig';
const SALT = 'pg_salt';

/**
 * MD5 over the name of the called script, the values in the order of their names, and the secret.
 * The provider prescribes MD5.
 */
export function signatureOf(script: string, fields: Fields, secret: string): string {
  const signed = fields.filter(({ name }) => name !== SIGNATURE);
  return createHash('md5')
    .update([script, ...valuesOf(signed), secret].join(';'))
    .digest('hex');
}

/** Sorted by name on each level; fields of one name keep their order. */
function valuesOf(fields: Fields): string[] {
  const byName = fields.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return byName.flatMap(({ value }) => (typeof value === 'string' ? [value] : valuesOf(value)));
}

export function withSignature(
  script: string,
  values: Readonly<Record<string, string>>,
  { secret, salt = randomBytes(12).toString('hex') }: { secret: string; salt?: string },
): Record<string, string> {
  const salted = { ...values, [SALT]: salt };
  return { ...salted, [SIGNATURE]: signatureOf(script, toFields(salted), secret) };
}

/** A second signature would make it unclear which one was checked. */
export function isSigned(script: string, fields: Fields, secret: string): boolean {
  const given = fields.filter(({ name }) => name === SIGNATURE);
  const [only] = given;
  if (given.length !== 1 || typeof only?.value !== 'string') return false;
  return isSameSecret(only.value.toLowerCase(), signatureOf(script, fields, secret));
}

// Values stay the texts that were signed: no numbers, no trimming.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  trimValues: false,
  // Also entities by number.
  htmlEntities: true,
});
const builder = new XMLBuilder();

/**
 * Ten times what the longest message has. Anybody can send one, and has to be told so before much
 * time is spent on it: 64 KB of fields take seconds.
 */
const FIELDS_MAX = 500;

/** The fields of an XML document, of any root; undefined when the text is none, or too much. */
export function readXml(text: string): Field[] | undefined {
  // No message needs one, and its entities can make a small text huge.
  if (/<!DOCTYPE/i.test(text)) return undefined;
  // Each field has two tags.
  if (text.split('<').length > 2 * FIELDS_MAX) return undefined;
  try {
    const roots = readNodes(parser.parse(text, true) as Node[]);
    return Array.isArray(roots[0]?.value) && roots.length === 1 ? roots[0].value : undefined;
  } catch {
    return undefined;
  }
}

/** As the parser returns it: an element by its name, or a text. */
type Node = Readonly<Record<string, Node[] | string>>;
const TEXT = '#text';

function readNodes(nodes: readonly Node[]): Field[] {
  return nodes.flatMap((node) =>
    Object.entries(node).flatMap(([name, inside]) =>
      typeof inside === 'string' ? [] : [{ name, value: readValue(inside) }],
    ),
  );
}

/** Texts between elements are only the indentation. */
function readValue(inside: readonly Node[]): string | Field[] {
  const fields = readNodes(inside);
  if (fields.length > 0) return fields;
  return inside.map((node) => String(node[TEXT] ?? '')).join('');
}

export function writeXml(root: string, values: Readonly<Record<string, string>>): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${builder.build({ [root]: values })}`;
}

/** Names like `a[b]` are parts of `a`. Undefined when there are too many. */
export function readForm(pairs: readonly (readonly [string, string])[]): Field[] | undefined {
  if (pairs.length > FIELDS_MAX) return undefined;
  const fields: Field[] = [];
  for (const [name, value] of pairs) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''));
    insert(fields, [first, ...rest], value);
  }
  return fields;
}

/** Nothing that the provider sends is deeper. */
const DEPTH_MAX = 8;

function insert(fields: Field[], [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0 || rest.length > DEPTH_MAX) {
    fields.push({ name, value });
    return;
  }
  const known = fields.find((field) => field.name === name && Array.isArray(field.value));
  const inside = (known?.value as Field[] | undefined) ?? [];
  if (known === undefined) fields.push({ name, value: inside });
  insert(inside, rest, value);
}
