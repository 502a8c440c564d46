import {
  ENDPOINTS,
  type Endpoint,
  KEYED_ERRORS,
  OPEN_ERRORS,
} from '@zhiber/contract/api/endpoints.ts';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { DocsTexts } from '@zhiber/contract/pages/docs.ts';

/**
 * The description of the API as the reference shows it. It is read from the OpenAPI object, so what
 * is documented is what is published; the errors are those of the contract.
 */
export type Reference = {
  baseUrl: string;
  operations: ReferenceOperation[];
  /** Codes that any call with a key can be answered with. */
  commonErrors: readonly ErrorCode[];
};

export type ReferenceOperation = {
  /** The anchor: `otp-send` for `/otp/send`. */
  id: string;
  path: string;
  methods: string[];
  summary: string;
  description: string;
  needsKey: boolean;
  /** Whether it is part of the API, and so can be tried in the console. */
  isCall: boolean;
  query: ReferenceField[];
  headers: ReferenceField[];
  body: ReferenceField[];
  bodyExample: unknown;
  answer: ReferenceField[];
  answerHeaders: ReferenceField[];
  answerExample: unknown;
  errors: readonly ErrorCode[];
};

export type ReferenceField = {
  name: string;
  type: string;
  isRequired: boolean;
  /** Lengths, bounds and the like, in the language of the page. */
  limits: string[];
  description: string;
};

type Json = Record<string, unknown>;
type Words = DocsTexts['reference'];

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];
/** Deeper than any schema of the API; a schema that contains itself ends here. */
const DEPTH_MAX = 6;
const ENDPOINTS_BY_PATH = new Map<string, Endpoint>(
  Object.values(ENDPOINTS).map((endpoint) => [endpoint.path, endpoint]),
);
const COMMON: readonly string[] = [...OPEN_ERRORS, ...KEYED_ERRORS];

/** The reference in the words of a page. */
export function readReference(openapi: Json, words: Words): Reference {
  const servers = (openapi.servers ?? []) as { url: string }[];
  const reader = createReader(openapi, words);
  return {
    baseUrl: servers[0]?.url ?? '',
    operations: Object.entries(objectOf(openapi.paths)).flatMap(([path, item]) =>
      readPath(reader, path, objectOf(item)),
    ),
    commonErrors: COMMON as readonly ErrorCode[],
  };
}

/**
 * All methods of a path of the API do the same, and one with a body says the most. Those of the inbox
 * of the sandbox differ, and its address is beside the API.
 */
function readPath(reader: Reader, path: string, item: Json): ReferenceOperation[] {
  const endpoint = ENDPOINTS_BY_PATH.get(path);
  const methods = METHODS.filter((method) => method in item);
  const id = path.slice(1).replaceAll('/', '-');
  if (endpoint !== undefined) {
    const operation = objectOf(item.post ?? item[methods[0] ?? ''] ?? {});
    return [readOperation(reader, { id, path, methods, operation, endpoint })];
  }
  const [server] = (item.servers ?? []) as { url: string }[];
  return methods.map((method) =>
    readOperation(reader, {
      id: `${method}-${id}`,
      path: `${server?.url ?? ''}${path}`,
      methods: [method],
      operation: objectOf(item[method]),
      endpoint: undefined,
    }),
  );
}

function readOperation(
  reader: Reader,
  given: {
    id: string;
    path: string;
    methods: readonly string[];
    operation: Json;
    endpoint: Endpoint | undefined;
  },
): ReferenceOperation {
  const { id, path, methods, operation, endpoint } = given;
  const body = contentOf(reader, operation.requestBody);
  const success = reader.resolve(objectOf(operation.responses)['200']);
  const answer = contentOf(reader, success);
  const parameters = (operation.parameters ?? []) as unknown[];
  const parametersIn = (place: 'query' | 'header') =>
    parameters
      .map((parameter) => reader.resolve(parameter))
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description }) =>
        reader.field(textOf(name), { ...objectOf(schema), description }, required === true),
      );
  return {
    id,
    path,
    methods: methods.map((method) => method.toUpperCase()),
    summary: textOf(operation.summary),
    description: textOf(operation.description),
    needsKey: endpoint?.needsKey ?? true,
    isCall: endpoint !== undefined,
    query: parametersIn('query'),
    headers: parametersIn('header'),
    body: body === undefined ? [] : reader.fields(body.schema),
    bodyExample: body?.example,
    answer: answer === undefined ? [] : reader.fields(answer.schema),
    answerHeaders: Object.entries(objectOf(success.headers)).map(([name, header]) => {
      const { schema, required, description } = reader.resolve(header);
      return reader.field(name, { ...objectOf(schema), description }, required === true);
    }),
    answerExample: answer?.example,
    errors: endpoint?.errors ?? [],
  };
}

function contentOf(
  reader: Reader,
  holder: unknown,
): { schema: unknown; example: unknown } | undefined {
  const json = objectOf(objectOf(reader.resolve(holder).content)['application/json']);
  if (json.schema === undefined) return undefined;
  const examples = Object.values(objectOf(json.examples));
  const first = examples.length === 0 ? undefined : reader.resolve(examples[0]).value;
  return { schema: json.schema, example: json.example ?? first };
}

type Reader = ReturnType<typeof createReader>;

function createReader(openapi: Json, words: Words) {
  /** What a `$ref` points at; anything else is itself. */
  const resolve = (value: unknown, depth = 0): Json => {
    const found = objectOf(value);
    if (typeof found.$ref !== 'string' || depth > DEPTH_MAX) return found;
    const target = found.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((holder, name) => objectOf(holder)[name], openapi);
    // What stands beside the reference adds to it.
    const { $ref: _ref, ...own } = found;
    return { ...resolve(target, depth + 1), ...own };
  };

  const field = (name: string, given: unknown, isRequired: boolean): ReferenceField => {
    const schema = resolve(given);
    return {
      name,
      type: typeText(schema),
      isRequired,
      limits: limitsOf(schema, words),
      description: textOf(schema.description),
    };
  };

  /** The fields of an object and of the objects in it, by their whole names. */
  const fields = (given: unknown, prefix = '', depth = 0): ReferenceField[] => {
    const schema = resolve(given);
    const parts = ((schema.allOf ?? []) as unknown[]).flatMap((part) =>
      fields(part, prefix, depth),
    );
    const required = (schema.required ?? []) as string[];
    const own = Object.entries(objectOf(schema.properties)).flatMap(([name, property]) => {
      const found = field(`${prefix}${name}`, property, required.includes(name));
      const inner = depth > DEPTH_MAX ? [] : innerFields(property, `${prefix}${name}`, depth + 1);
      return [found, ...inner];
    });
    return [...parts, ...own];
  };
  const innerFields = (given: unknown, name: string, depth: number): ReferenceField[] => {
    const schema = resolve(given);
    if (schema.type === 'array') return fields(schema.items, `${name}[].`, depth);
    return fields(schema, `${name}.`, depth);
  };

  const typeText = (schema: Json, depth = 0): string => {
    if (schema.const !== undefined) return `${words.always} ${JSON.stringify(schema.const)}`;
    if (Array.isArray(schema.enum)) return `${words.oneOf} ${schema.enum.join(', ')}`;
    const choices = (schema.anyOf ?? schema.oneOf) as unknown[] | undefined;
    if (choices !== undefined && depth < DEPTH_MAX) {
      const texts = choices.map((choice) => typeText(resolve(choice), depth + 1));
      return [...new Set(texts)].join(' / ');
    }
    const names = [schema.type ?? 'object'].flat().map((name) => String(name));
    return names.map((name) => words.types[name] ?? name).join(' / ');
  };

  return { resolve, field, fields };
}

function limitsOf(schema: Json, words: Words): string[] {
  const said = (word: string, value: unknown) => (value === undefined ? [] : [`${word} ${value}`]);
  const example = ((schema.examples ?? []) as unknown[])[0];
  return [
    ...said(words.charactersFrom, schema.minLength),
    ...said(words.charactersUpTo, schema.maxLength),
    ...said(words.from, schema.minimum),
    ...said(words.upTo, schema.maximum),
    ...said(words.form, readablePattern(schema.pattern)),
    ...said(words.byDefault, schema.default),
    ...said(words.example, example),
  ];
}

/** A pattern of character codes says nothing to a reader; the description does. */
function readablePattern(pattern: unknown): unknown {
  return typeof pattern === 'string' && pattern.includes('\\u') ? undefined : pattern;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
