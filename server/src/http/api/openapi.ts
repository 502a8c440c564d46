import { ENDPOINTS, type Endpoint, errorsOf } from '@zhiber/contract/api/endpoints.ts';
import { ErrorAnswer } from '@zhiber/contract/api/error-answer.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { TSchema } from 'typebox';
import { VERSION } from '../../version.ts';
import { ANSWER_EXAMPLES, BODY_EXAMPLES } from './openapi-examples.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description, generated from the schemas that validate the requests. */
export function describeApi(publicUrl: string): Json {
  const endpoints: Endpoint[] = Object.values(ENDPOINTS);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zhiber API',
      version: VERSION,
      description:
        'Одноразовые коды и короткие ссылки на настоящий телефон: WhatsApp, Telegram, SMS. ' +
        'Решение принимайте по полю success. Поле message всегда по-русски. Ответы могут получать новые поля.',
    },
    servers: [{ url: `${publicUrl}/api` }],
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.path, describePath(endpoint, publicUrl)]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        [ErrorAnswer, ...endpoints.flatMap((endpoint) => [endpoint.body, endpoint.answer])]
          .filter((schema) => schema !== undefined)
          .map((schema) => [schemaId(schema), withoutId(schema)]),
      ),
    },
  };
}

function describePath(endpoint: Endpoint, publicUrl: string): Json {
  return Object.fromEntries(
    endpoint.methods.map((method) => [
      method.toLowerCase(),
      {
        operationId: `${method.toLowerCase()}${endpoint.path.replaceAll('/', '_')}`,
        summary: endpoint.summary,
        ...(endpoint.needsKey ? { security: [{ apiKey: [] }] } : {}),
        parameters: describeParameters(endpoint),
        ...(endpoint.body === undefined ? {} : { requestBody: describeBody(endpoint) }),
        responses: describeAnswers(endpoint, method, publicUrl),
      },
    ]),
  );
}

function describeParameters(endpoint: Endpoint): Json[] {
  const requestId = {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Свой номер запроса; вернётся в ответе.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  };
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    description: `Повтор с тем же ключом и телом в течение ${IDEMPOTENCY_HOURS} ч вернёт первый ответ.`,
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX },
  };
  return endpoint.needsKey ? [requestId, idempotencyKey] : [requestId];
}

function describeBody(endpoint: Endpoint): Json {
  return {
    required: true,
    content: {
      'application/json': {
        schema: refTo(endpoint.body as TSchema),
        examples: { обычный: { value: BODY_EXAMPLES[endpoint.path] } },
      },
    },
  };
}

function describeAnswers(endpoint: Endpoint, method: string, publicUrl: string): Json {
  const headers = {
    'X-Request-Id': { required: true, schema: { type: 'string' } },
  };
  const hasBody = method !== 'HEAD';
  const success = {
    description: 'Успех',
    headers,
    ...(hasBody ? jsonBody(refTo(endpoint.answer), { успех: ANSWER_EXAMPLES[endpoint.path] }) : {}),
  };
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => ERRORS[code].status);
  const failures = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\` — ${ERRORS[code].message}`).join('\n\n'),
      headers: status === 429 || status === 503 ? { ...headers, ...RETRY_AFTER } : headers,
      ...(hasBody ? jsonBody(errorSchema(codes), errorExamples(codes, publicUrl)) : {}),
    },
  ]);
  return Object.fromEntries([['200', success], ...failures]);
}

const RETRY_AFTER = {
  'Retry-After': { required: true, schema: { type: 'integer', minimum: 0 } },
};

/** An error answer narrowed to the codes of one status. */
function errorSchema(codes: readonly ErrorCode[]): Json {
  return { allOf: [refTo(ErrorAnswer), { properties: { error_code: { enum: [...codes] } } }] };
}

function errorExamples(codes: readonly ErrorCode[], publicUrl: string): Json {
  return Object.fromEntries(
    codes.map((code) => [
      code,
      {
        success: false,
        message: ERRORS[code].message,
        error_code: code,
        request_id: 'req_5r2nVYk0dWqj8aLx',
        docs_url: `${publicUrl}/docs/errors/${code}`,
      },
    ]),
  );
}

function jsonBody(schema: Json, examples: Json): Json {
  const values = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    content: { 'application/json': { schema, examples: Object.fromEntries(values) } },
  };
}

function schemaId(schema: TSchema): string {
  return (schema as { $id?: string }).$id ?? '';
}

function refTo(schema: TSchema): Json {
  return { $ref: `#/components/schemas/${schemaId(schema)}` };
}

function withoutId(schema: TSchema): Json {
  const { $id: _id, ...rest } = schema as Json;
  return rest;
}
