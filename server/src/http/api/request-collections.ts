/**
 * The description of the API as files that can be run: a Postman collection, and an `.http` file for
 * editors. Their requests work as they are with a test key.
 */
import type { Lang } from '@zhiber/contract/languages.ts';
import { describeApi } from './openapi.ts';
import type { Json } from './openapi-schemas.ts';

type Examples = Record<string, { value: unknown }>;
type Content = { 'application/json': { examples: Examples } };
type Operation = {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: unknown[];
  parameters: { $ref: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
type Parameter = {
  name: string;
  in: string;
  description: string;
  schema: { examples?: unknown[] };
};
type Description = {
  info: { title: string; description: string };
  tags: { name: string; 'x-displayName': string; description: string }[];
  paths: Record<string, Record<string, Operation> & { servers?: unknown }>;
  components: { parameters: Record<string, Parameter> };
};

type ApiRequest = {
  operation: Operation;
  method: string;
  path: string;
  /** The variable that holds the address before the path. */
  base: 'baseUrl' | 'siteUrl';
  query: Parameter[];
  body: unknown;
};

/** The variables of both files. The key is the one thing that a reader has to fill in. */
function variablesOf(publicUrl: string) {
  return { baseUrl: `${publicUrl}/api`, siteUrl: publicUrl, apiKey: 'YOUR_TEST_KEY' };
}

function read(publicUrl: string, lang: Lang): Description {
  return describeApi(publicUrl, lang) as unknown as Description;
}

/** One request per operation; the further methods of a path do the same. */
function listRequests({ paths, components }: Description): ApiRequest[] {
  return Object.entries(paths).flatMap(([path, { servers, ...operations }]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => !/By(?:Head|Post)$/.test(operationId))
      .map(([method, operation]) => ({
        operation,
        method: method.toUpperCase(),
        path,
        base: servers === undefined ? ('baseUrl' as const) : ('siteUrl' as const),
        query: operation.parameters
          .map(({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? ''] as Parameter)
          .filter((parameter) => parameter.in === 'query'),
        body: operation.requestBody?.content['application/json'].examples.test?.value,
      })),
  );
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** The collection in Postman's format 2.1, with a folder per tag. */
export function writePostmanCollection(publicUrl: string, lang: Lang): Json {
  const description = read(publicUrl, lang);
  const requests = listRequests(description);
  const folders = description.tags.map((tag) => ({
    name: tag['x-displayName'],
    description: tag.description,
    item: requests
      .filter(({ operation }) => operation.tags[0] === tag.name)
      .map((request) => toPostmanItem(request)),
  }));
  return {
    info: {
      name: description.info.title,
      description: description.info.description,
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: Object.entries(variablesOf(publicUrl)).map(([key, value]) => ({ key, value })),
    item: folders.filter(({ item }) => item.length > 0),
  };
}

function toPostmanItem(request: ApiRequest): Json {
  const { operation } = request;
  const asked = toPostmanRequest(request);
  const responses = Object.entries(operation.responses).flatMap(([status, { content }]) => {
    const [example] = Object.entries(content?.['application/json'].examples ?? {});
    if (example === undefined) return [];
    const [name, { value }] = example;
    return {
      name: `${status} ${name}`,
      originalRequest: asked,
      code: Number(status),
      header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
      _postman_previewlanguage: 'json',
      body: JSON.stringify(value, null, 2),
    };
  });
  return { name: operation.summary, request: asked, response: responses };
}

function toPostmanRequest({ operation, method, path, base, query, body }: ApiRequest): Json {
  const parameters = query.map(({ name, description, schema }) => ({
    key: name,
    value: String(schema.examples?.[0] ?? ''),
    description,
    disabled: true,
  }));
  return {
    method,
    ...(operation.security.length === 0 && { auth: { type: 'noauth' } }),
    header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
    url: {
      raw: `{{${base}}}${path}`,
      host: [`{{${base}}}`],
      path: path.split('/').slice(1),
      ...(parameters.length > 0 && { query: parameters }),
    },
    ...(body !== undefined && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(body, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
    description: operation.description,
  };
}

/** The requests in the form that VS Code (REST Client) and the JetBrains editors both run. */
export function writeHttpFile(publicUrl: string, lang: Lang): string {
  const variables = Object.entries(variablesOf(publicUrl)).map(
    ([key, value]) => `@${key} = ${value}`,
  );
  const requests = listRequests(read(publicUrl, lang)).map((request) => {
    const { operation, method, path, base, body } = request;
    return [
      `### ${operation.summary}`,
      `# @name ${operation.operationId}`,
      `${method} {{${base}}}${path}`,
      ...(operation.security.length > 0 ? ['Authorization: Bearer {{apiKey}}'] : []),
      ...(body === undefined
        ? []
        : ['Content-Type: application/json', '', JSON.stringify(body, null, 2)]),
    ].join('\n');
  });
  return `${[variables.join('\n'), ...requests].join('\n\n')}\n`;
}
