/** The part of a provider file that describes an HTTP request. */
import type { BodyTemplate, Fields, RequestDescription } from './description.ts';
import {
  entriesOf,
  type FileValue,
  isGiven,
  listOf,
  membersOf,
  optional,
  readText,
  readWord,
  report,
} from './file-value.ts';
import {
  parseTarget,
  readField,
  readJsonTemplate,
  readPlain,
  readTextBody,
  readXmlTemplate,
  type Template,
  type Vocabulary,
} from './template.ts';

const BODIES = ['form', 'json', 'xml', 'text'] as const;
export const REQUEST_MEMBERS = [
  'method',
  'url',
  'query',
  'headers',
  'basic',
  'bearer',
  ...BODIES,
] as const;
type Members = Record<(typeof REQUEST_MEMBERS)[number], FileValue>;

const METHODS = ['GET', 'POST'] as const;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** They are set by the service, or are only for the connection. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);

export function readRequest(
  item: FileValue,
  members: Members,
  vocabulary: Omit<Vocabulary, 'uses'>,
): RequestDescription | undefined {
  const uses = new Set<string>();
  const words: Vocabulary = { ...vocabulary, uses };
  const address = readAddress(members.url, words);
  const query = readFields(members.query, words);
  const headers = readHeaders(members.headers, words);
  const login = readLogin(members, words);
  const body = readBody(item, members, words);
  const method =
    optional(members.method, (one) => readWord(one, METHODS)) ??
    (body === undefined ? 'GET' : 'POST');
  if (method === 'GET' && body !== undefined) report(members.method, 'should be POST with a body');
  return address && { ...address, method, query, headers, login, body, uses };
}

function readAddress(
  item: FileValue,
  vocabulary: Vocabulary,
): { origin: string; target: Template } | undefined {
  const text = readText(item);
  if (text === undefined) return undefined;
  const [, origin = '', target = ''] = /^(https?:\/\/[^/?#{}@\s]+)(\/[^#\s]*)?$/i.exec(text) ?? [];
  const url = URL.parse(origin);
  if (url === null) {
    return report(item, 'should be an address like "https://api.example.kz/send"');
  }
  // Written as it is sent: what is not ASCII has to be encoded.
  if (/[^\x21-\x7e]/.test(target)) return report(item, 'should have only ASCII characters');
  const template = parseTarget(item, target === '' ? '/' : target, vocabulary);
  return template && { origin: url.origin, target: template };
}

function readFields(item: FileValue, vocabulary: Vocabulary): Fields {
  if (!isGiven(item)) return [];
  return (entriesOf(item) ?? []).flatMap(([name, member]) => {
    if (name.includes('{{')) report(member, 'should have no placeholder in its name');
    const template = readField(member, vocabulary);
    return template === undefined ? [] : [[name, template] as const];
  });
}

function readHeaders(item: FileValue, vocabulary: Vocabulary): Fields {
  if (!isGiven(item)) return [];
  return (entriesOf(item) ?? []).flatMap(([given, member]) => {
    const name = given.toLowerCase();
    if (!HEADER_NAME.test(name)) report(member, 'should have a name of Latin letters');
    if (OWN_HEADERS.has(name)) report(member, 'is set by the service itself');
    if (name === 'authorization') report(member, 'should be written as "basic" or "bearer"');
    const template = readHeaderText(member, vocabulary);
    return template === undefined ? [] : [[name, template] as const];
  });
}

function readHeaderText(item: FileValue, vocabulary: Vocabulary): Template | undefined {
  const template = readPlain(item, vocabulary);
  const isVisible = template?.every(
    (piece) => typeof piece !== 'string' || /^[\x20-\x7e]*$/.test(piece),
  );
  return isVisible === false ? report(item, 'should have only ASCII characters') : template;
}

function readLogin(
  { basic, bearer }: Members,
  vocabulary: Vocabulary,
): RequestDescription['login'] {
  if (isGiven(basic) && isGiven(bearer))
    report(bearer, 'should not be given together with "basic"');
  if (isGiven(bearer)) {
    const template = readHeaderText(bearer, vocabulary);
    return template && { bearer: template };
  }
  const members = isGiven(basic) ? membersOf(basic, ['user', 'password']) : undefined;
  if (members === undefined) return undefined;
  const user = readField(members.user, vocabulary);
  const password = readField(members.password, vocabulary);
  if (user?.some((piece) => typeof piece === 'string' && piece.includes(':'))) {
    report(members.user, 'should have no colon');
  }
  return user && password && { user, password };
}

function readBody(
  item: FileValue,
  members: Members,
  vocabulary: Vocabulary,
): BodyTemplate | undefined {
  const given = BODIES.filter((kind) => isGiven(members[kind]));
  const [kind] = given;
  if (given.length > 1) report(item, `should have one of ${listOf(BODIES)}`);
  if (kind === undefined) return undefined;
  const member = members[kind];
  switch (kind) {
    case 'form':
      return { kind, fields: readFields(member, vocabulary) };
    case 'json': {
      const value = readJsonTemplate(member, vocabulary);
      return value && { kind, value };
    }
    case 'xml': {
      const template = readXmlTemplate(member, vocabulary);
      return template && { kind, template };
    }
    case 'text': {
      const template = readTextBody(member, vocabulary);
      return template && { kind, template };
    }
  }
}
