/**
 * Writes a request with the values of a message. Each value is escaped by the place it stands in, so
 * that it is read there as exactly this value, whatever it contains.
 */
import type {
  BodyTemplate,
  Fields,
  RequestDescription,
} from '../../config/provider-file/description.ts';
import type {
  JsonTemplate,
  Placeholder,
  Template,
  XmlTemplate,
} from '../../config/provider-file/template.ts';
import { canBeXml, escapeXml } from '../../runtime/xml.ts';

/** The value of a placeholder; undefined when this message has none. */
export type ReadValue = (name: string) => string | undefined;

export type RenderedRequest = {
  method: 'GET' | 'POST';
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** A value cannot be written where it stands. */
class Unwritable extends Error {}

/** Undefined when a value cannot be written where it stands, such as a line break in a header. */
export function renderRequest(
  request: RequestDescription,
  read: ReadValue,
): RenderedRequest | undefined {
  try {
    const body = request.body && renderBody(request.body, read);
    const headers = { accept: '*/*', ...body?.headers, ...renderHeaders(request, read) };
    const { method } = request;
    return { method, path: renderPath(request, read), headers, ...(body && { body: body.text }) };
  } catch (error) {
    if (error instanceof Unwritable) return undefined;
    throw error;
  }
}

/** Undefined when a value is missing: what the template belongs to is then left out. */
export function fill(
  template: Template,
  read: ReadValue,
  escapeValue: (value: string) => string = (value) => value,
): string | undefined {
  const parts = template.map((piece) => {
    if (typeof piece === 'string') return piece;
    const value = readEncoded(piece, read);
    return value && escapeValue(value);
  });
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
}

function readEncoded({ name, encoding }: Placeholder, read: ReadValue): string | undefined {
  const value = read(name);
  // Half of a pair would become another character.
  if (value?.isWellFormed() === false) throw new Unwritable();
  if (value === undefined || encoding === undefined) return value;
  return encoding === 'url' ? encodeURIComponent(value) : Buffer.from(value).toString('base64');
}

function renderPath({ target, query }: RequestDescription, read: ReadValue): string {
  const path = fill(target, read, (value) => {
    // It would be a step up.
    if (/^\.+$/.test(value)) throw new Unwritable();
    return encodeURIComponent(value);
  });
  if (path === undefined) throw new Unwritable();
  const added = renderFields(query, read).map((pair) => pair.map(encodeURIComponent).join('='));
  if (added.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${added.join('&')}`;
}

function renderFields(fields: Fields, read: ReadValue): [string, string][] {
  return fields.flatMap(([name, template]) => {
    const value = fill(template, read);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
}

function renderHeaders({ headers, login }: RequestDescription, read: ReadValue) {
  const rendered = Object.fromEntries(renderFields(headers, read));
  if (login !== undefined) rendered.authorization = renderLogin(login, read);
  // Anything else could end the header, or is not allowed in one.
  if (!Object.values(rendered).every((value) => /^[\x20-\x7e]*$/.test(value))) {
    throw new Unwritable();
  }
  return rendered;
}

function renderLogin(login: NonNullable<RequestDescription['login']>, read: ReadValue): string {
  if ('bearer' in login) return `Bearer ${fill(login.bearer, read) ?? ''}`;
  const pair = [login.user, login.password].map((part) => fill(part, read) ?? '').join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function renderBody(body: BodyTemplate, read: ReadValue) {
  switch (body.kind) {
    case 'form':
      return {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        text: new URLSearchParams(renderFields(body.fields, read)).toString(),
      };
    case 'json':
      return {
        headers: { 'content-type': 'application/json' },
        text: JSON.stringify(renderJson(body.value, read) ?? null),
      };
    case 'xml':
      return {
        headers: { 'content-type': 'text/xml; charset=utf-8' },
        text: renderXml(body.template, read),
      };
    case 'text':
      return {
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        text: fill(body.template, read) ?? '',
      };
  }
}

/** Undefined when a value is missing: the member or item is then left out. */
function renderJson(template: JsonTemplate, read: ReadValue): unknown {
  switch (template.kind) {
    case 'constant':
      return template.value;
    case 'text':
      return fill(template.template, read);
    case 'number': {
      const value = read(template.name);
      return value === undefined ? undefined : Number(value);
    }
    case 'list':
      return template.items
        .map((item) => renderJson(item, read))
        .filter((one) => one !== undefined);
    case 'object': {
      const members = template.members.map(([name, member]) => [name, renderJson(member, read)]);
      return Object.fromEntries(members);
    }
  }
}

/** What has no value is empty there. */
function renderXml(template: XmlTemplate, read: ReadValue): string {
  return template
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const value = readEncoded(piece, read) ?? '';
      if (!canBeXml(value)) throw new Unwritable();
      return escapeXml(value, piece.place);
    })
    .join('');
}
