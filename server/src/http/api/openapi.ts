import {
  API_KEY_TEXT,
  API_TEXT,
  DOCS_TEXT,
  HEADER_TEXTS,
  type HeaderName,
  type Localized,
  OPERATION_TEXTS,
  PARAMETER_TEXTS,
  TAG_TEXTS,
  type Tag,
} from '@zhiber/contract/api/descriptions.ts';
import { ENDPOINTS, type Endpoint, errorsOf, OPEN_ERRORS } from '@zhiber/contract/api/endpoints.ts';
import { ErrorAnswer } from '@zhiber/contract/api/error-answer.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import { EVENT_DATA } from '@zhiber/contract/api/events.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import {
  SANDBOX_ERRORS,
  SANDBOX_PATH,
  SANDBOX_QUERY,
  SandboxClearedAnswer,
  SandboxMessagesAnswer,
} from '@zhiber/contract/api/sandbox.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import type { TSchema } from 'typebox';
import { VERSION } from '../../version.ts';
import {
  ANSWER_EXAMPLES,
  BODY_EXAMPLES,
  errorExample,
  TEST_BODY_EXAMPLES,
} from './openapi-examples.ts';
import { type Json, listSchemas, refTo } from './openapi-schemas.ts';
import { describeWebhooks } from './openapi-webhooks.ts';

/** Where the description is read, and in which language. The language of the API is Russian. */
type Reader = { publicUrl: string; lang: Lang };

type EndpointName = keyof typeof ENDPOINTS;

const TAGS: Readonly<Record<EndpointName, Tag>> = {
  otpSend: 'otp',
  otpVerify: 'otp',
  linkShorten: 'links',
  linkSend: 'links',
  groupSend: 'groups',
  health: 'health',
};

/** The OpenAPI 3.1 description, generated from the schemas that validate the requests. */
export function describeApi(publicUrl: string, lang: Lang = 'ru') {
  const reader = { publicUrl, lang };
  const endpoints = Object.entries(ENDPOINTS) as [EndpointName, Endpoint][];
  const paths = endpoints.map(([name, endpoint]) => [
    endpoint.path,
    describePath(name, endpoint, reader),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zhiber API',
      version: VERSION,
      description: API_TEXT[lang],
      termsOfService: `${publicUrl}/terms`,
      contact: { name: 'Zhiber', url: publicUrl },
      license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    externalDocs: { description: DOCS_TEXT[lang], url: `${publicUrl}/docs` },
    servers: [{ url: `${publicUrl}/api`, description: 'API' }],
    tags: describeTags(reader),
    paths: Object.fromEntries([...paths, [SANDBOX_PATH, describeInbox(reader)]]),
    webhooks: describeWebhooks(lang),
    components: describeComponents(
      endpoints.map(([, endpoint]) => endpoint),
      lang,
    ),
  };
}

function describeTags({ publicUrl, lang }: Reader): Json[] {
  return Object.entries(TAG_TEXTS).map(([name, { title, text }]) => ({
    name,
    'x-displayName': title[lang],
    description: text[lang],
    externalDocs: { description: DOCS_TEXT[lang], url: `${publicUrl}/docs` },
  }));
}

function describeComponents(endpoints: readonly Endpoint[], lang: Lang) {
  const schemas = [
    ...endpoints.flatMap(({ body, answer }) => (body === undefined ? [answer] : [body, answer])),
    ErrorAnswer,
    SandboxMessagesAnswer,
    SandboxClearedAnswer,
    ...Object.values<TSchema>(EVENT_DATA),
  ];
  return {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: API_KEY_TEXT[lang] },
    },
    parameters: Object.fromEntries(
      Object.entries(PARAMETERS).map(([name, { component, ...parameter }]) => [
        component,
        { name, ...parameter, description: textOf(PARAMETER_TEXTS, name, lang) },
      ]),
    ),
    headers: Object.fromEntries<Json>(
      Object.entries(HEADERS).map(([name, header]) => [
        name,
        { ...header, description: textOf(HEADER_TEXTS, name, lang) },
      ]),
    ),
    schemas: listSchemas(schemas, lang),
  };
}

function textOf(texts: Readonly<Record<string, Localized>>, name: string, lang: Lang) {
  return texts[name]?.[lang];
}

/** All optional. */
const PARAMETERS = {
  'X-Request-Id': {
    component: 'RequestId',
    in: 'header',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  'Idempotency-Key': {
    component: 'IdempotencyKey',
    in: 'header',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
      pattern: '^[\\x20-\\x7e]+$',
    },
  },
  Origin: { component: 'Origin', in: 'header', schema: { type: 'string', format: 'uri' } },
  phone: { component: 'Phone', in: 'query', schema: SANDBOX_QUERY.phone },
  since: { component: 'Since', in: 'query', schema: SANDBOX_QUERY.since },
  wait: { component: 'Wait', in: 'query', schema: SANDBOX_QUERY.wait },
} as const satisfies Record<
  keyof typeof PARAMETER_TEXTS,
  { component: string; in: 'header' | 'query'; schema: object }
>;

function parametersOf(...names: (keyof typeof PARAMETERS)[]): Json[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${PARAMETERS[name].component}` }));
}

/** A required header is on every answer that lists it. */
const HEADERS = {
  'X-Request-Id': { required: true, schema: { type: 'string' } },
  'X-Test-Mode': { schema: { type: 'string', const: '1' } },
  'Idempotent-Replayed': { schema: { type: 'string', const: 'true' } },
  'Retry-After': { required: true, schema: { type: 'integer', minimum: 0 } },
  'RateLimit-Policy': { schema: { type: 'string', examples: ['"key";q=60;w=60'] } },
  RateLimit: { schema: { type: 'string', examples: ['"key";r=59;t=1'] } },
  Allow: { required: true, schema: { type: 'string', examples: ['POST'] } },
  'WWW-Authenticate': { required: true, schema: { type: 'string', const: 'Bearer' } },
} as const satisfies Record<HeaderName, Json>;

/** Answered before the key is known. */
const BEFORE_KEY: readonly ErrorCode[] = [
  'not_found',
  'method_not_allowed',
  'host_not_allowed',
  'missing_api_key',
  'invalid_api_key',
  'key_revoked',
  'company_suspended',
];
/** Answered before the calls of a key are counted. */
const BEFORE_RATE: readonly ErrorCode[] = [...BEFORE_KEY, 'origin_required', 'origin_not_allowed'];

/** The headers of an answer; a success has no codes. */
function headersOf(status: number, codes: readonly ErrorCode[], endpoint?: Endpoint): Json {
  const { needsKey = false, finalErrors = [] } = endpoint ?? {};
  const isSuccess = status === 200;
  const isAfter = (earlier: readonly ErrorCode[]) =>
    isSuccess || codes.some((code) => !earlier.includes(code));
  const isKept = isSuccess || codes.some((code) => finalErrors.includes(code));
  const occurs: Record<HeaderName, boolean> = {
    'X-Request-Id': true,
    'X-Test-Mode': needsKey && isAfter(BEFORE_KEY),
    'Idempotent-Replayed': needsKey && isKept,
    'Retry-After': [409, 429, 503].includes(status),
    'RateLimit-Policy': needsKey && isAfter(BEFORE_RATE),
    RateLimit: needsKey && isAfter(BEFORE_RATE),
    Allow: status === 405,
    'WWW-Authenticate': status === 401,
  };
  const names = Object.entries(occurs).flatMap(([name, does]) => (does ? [name] : []));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function describePath(name: EndpointName, endpoint: Endpoint, reader: Reader): Json {
  const { lang } = reader;
  const { summary, text } = OPERATION_TEXTS[name];
  const operations = endpoint.methods.map((method) => {
    const isOnly = method === 'GET' || endpoint.methods.length === 1;
    const operation = {
      operationId: `${endpoint.operationId}${isOnly ? '' : BY_METHOD[method]}`,
      tags: [TAGS[name]],
      summary: summary[lang],
      description: text[lang],
      security: endpoint.needsKey ? [{ apiKey: [] }] : [],
      parameters: endpoint.needsKey
        ? parametersOf('X-Request-Id', 'Idempotency-Key', 'Origin')
        : parametersOf('X-Request-Id'),
      ...(endpoint.body !== undefined && { requestBody: describeBody(endpoint, reader) }),
      responses: describeAnswers(endpoint, method !== 'HEAD', reader),
    };
    return [method.toLowerCase(), operation];
  });
  return Object.fromEntries(operations);
}

/** Generated clients need another name for each method of a path. */
const BY_METHOD = { GET: '', HEAD: 'ByHead', POST: 'ByPost' } as const;

function describeBody(endpoint: Endpoint, { lang }: Reader): Json {
  const { path } = endpoint;
  const examples = { typical: BODY_EXAMPLES[path], test: TEST_BODY_EXAMPLES[path] };
  return { required: true, ...jsonBody(refTo(endpoint.body as TSchema, lang), examples) };
}

function describeAnswers(endpoint: Endpoint, hasBody: boolean, reader: Reader): Json {
  const success = {
    description: SUCCESS[reader.lang],
    headers: headersOf(200, [], endpoint),
    ...(hasBody &&
      jsonBody(refTo(endpoint.answer, reader.lang), { success: ANSWER_EXAMPLES[endpoint.path] })),
  };
  const errors = describeErrors(errorsOf(endpoint), { endpoint, hasBody, reader });
  return { 200: success, ...errors };
}

const SUCCESS: Localized = { ru: 'Успех', kk: 'Сәтті', en: 'Success' };

function describeErrors(
  codes: readonly ErrorCode[],
  parts: { endpoint?: Endpoint; field?: string; hasBody: boolean; reader: Reader },
): Json {
  const { endpoint, hasBody, reader } = parts;
  const field = parts.field ?? requiredFields(endpoint)[0];
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const answers = [...byStatus].map(([status, group]) => {
    const examples = group.map((code) => [code, errorExample(code, reader.publicUrl, field)]);
    const answer = {
      description: group.map((code) => `\`${code}\` — ${ERRORS[code].message}`).join('\n\n'),
      headers: headersOf(status, group, endpoint),
      // The schema leaves the code open; these are the ones of today.
      'x-error-codes': group,
      ...(hasBody && jsonBody(refTo(ErrorAnswer, reader.lang), Object.fromEntries(examples))),
    };
    return [String(status), answer];
  });
  return Object.fromEntries(answers);
}

function requiredFields(endpoint: Endpoint | undefined): string[] {
  return (endpoint?.body as { required?: string[] } | undefined)?.required ?? [];
}

/** The inbox of the virtual phone, which is not under `/api`. */
function describeInbox(reader: Reader): Json {
  const { publicUrl, lang } = reader;
  const describe = (
    name: 'sandboxMessages' | 'sandboxClear',
    parts: { operationId: string; parameters: Json[]; field: string; answer: Json },
  ) => ({
    operationId: parts.operationId,
    tags: ['sandbox'],
    summary: OPERATION_TEXTS[name].summary[lang],
    description: OPERATION_TEXTS[name].text[lang],
    security: [{ apiKey: [] }],
    parameters: parts.parameters,
    responses: {
      200: { description: SUCCESS[lang], headers: headersOf(200, []), ...parts.answer },
      ...describeErrors([...OPEN_ERRORS, ...SANDBOX_ERRORS], {
        field: parts.field,
        hasBody: true,
        reader,
      }),
    },
  });
  return {
    servers: [{ url: publicUrl, description: TAG_TEXTS.sandbox.title[lang] }],
    get: describe('sandboxMessages', {
      operationId: 'listSandboxMessages',
      parameters: parametersOf('X-Request-Id', 'Origin', 'phone', 'since', 'wait'),
      field: 'wait',
      answer: jsonBody(refTo(SandboxMessagesAnswer, lang), {
        success: ANSWER_EXAMPLES[`GET ${SANDBOX_PATH}`],
      }),
    }),
    delete: describe('sandboxClear', {
      operationId: 'clearSandboxMessages',
      parameters: parametersOf('X-Request-Id', 'Origin', 'phone', 'since'),
      field: 'since',
      answer: jsonBody(refTo(SandboxClearedAnswer, lang), {
        success: ANSWER_EXAMPLES[`DELETE ${SANDBOX_PATH}`],
      }),
    }),
  };
}

function jsonBody(schema: Json, examples: Json): Json {
  const values = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    content: { 'application/json': { schema, examples: Object.fromEntries(values) } },
  };
}
