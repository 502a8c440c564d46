import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ConnectionFailedError,
  createAnswerError,
  UnavailableError,
  type ZhiberError,
} from './errors.ts';
import { toCamelFields } from './field-names.ts';

export type CallSettings = {
  apiKey: string;
  baseUrl: string;
  timeoutMs: number;
  deadlineMs: number;
  retriesMax: number;
  maxRetryWaitMs: number;
  origin: string | undefined;
  fetch: typeof fetch;
  userAgent: string;
};

/** What may be said about one call. */
export type CallOptions = {
  /** Your own key, such as the number of an order. By default each call has a random one. */
  idempotencyKey?: string | undefined;
  /** Ends the call, also while it waits; it then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** For the whole call with its retries; overrides the setting of the client. */
  deadlineMs?: number | undefined;
};

type ApiRequest = { method: 'GET' | 'POST'; path: string; body?: Record<string, unknown> };

/** An answer as far as it matters here; `body` is undefined when it is not the API's JSON. */
type Answer = {
  status: number;
  retryAfter: number | undefined;
  requestId: string | undefined;
  body: Record<string, unknown> | undefined;
};

/** What one attempt came to, and whether and when another one makes sense. */
type Attempt =
  | { body: Record<string, unknown> }
  | { error: ZhiberError; isRetryable: boolean; waitMs?: number };

/** Without a hint of the server: half a second at most, then twice as long each time. */
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 4_000;
/** Callers that were told the same second do not come back in the same millisecond. */
const SPREAD_MS = 250;
/** Answers are a few hundred bytes. */
const ANSWER_BYTES_MAX = 1024 * 1024;

/**
 * Limits of a recipient or of a budget, not of the caller. Whether to wait is for the application:
 * it tells the person, and is not to hold a request open for them.
 */
const LIMITS_TO_REPORT = [
  'send_rate_limited',
  'daily_limit_reached',
  'too_many_attempts',
  'spend_cap_reached',
];

/**
 * Calls the API until there is an answer that counts. Every attempt carries the same
 * Idempotency-Key, so the server does the work once, however often it is asked.
 */
export async function callApi(
  settings: CallSettings,
  request: ApiRequest,
  options: CallOptions = {},
): Promise<Record<string, unknown>> {
  const { signal } = options;
  const headers = createHeaders(settings, request, options.idempotencyKey);
  const deadline = performance.now() + (options.deadlineMs ?? settings.deadlineMs);
  for (let retries = 0; ; retries++) {
    signal?.throwIfAborted();
    const timeoutMs = Math.min(settings.timeoutMs, deadline - performance.now());
    const attempt = await attemptCall(settings, request, { headers, timeoutMs, signal });
    if ('body' in attempt) return attempt.body;
    const waitMs = attempt.waitMs === undefined ? backoffMs(retries) : spread(attempt.waitMs);
    const isLast =
      !attempt.isRetryable ||
      retries >= settings.retriesMax ||
      (attempt.waitMs ?? 0) > settings.maxRetryWaitMs ||
      performance.now() + waitMs >= deadline;
    if (isLast) throw attempt.error;
    await pause(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
  }
}

function createHeaders(settings: CallSettings, { method, body }: ApiRequest, ownKey?: string) {
  const headers = new Headers({ accept: 'application/json', 'user-agent': settings.userAgent });
  if (method === 'GET') return headers;
  headers.set('authorization', `Bearer ${settings.apiKey}`);
  if (settings.origin !== undefined) headers.set('origin', settings.origin);
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (ownKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(ownKey)) {
    throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters');
  }
  headers.set('idempotency-key', ownKey ?? randomUUID());
  return headers;
}

async function attemptCall(
  { baseUrl, fetch }: CallSettings,
  { method, path, body }: ApiRequest,
  {
    headers,
    timeoutMs,
    signal,
  }: { headers: Headers; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<Attempt> {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      // A redirect would carry the key to an address that nobody has set.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return judge(await readAnswer(response));
  } catch (cause) {
    signal?.throwIfAborted();
    const [code, message] = timeout.aborted
      ? ['timeout', 'Сервис не ответил вовремя']
      : ['connection_failed', 'Нет связи с сервисом'];
    const error = new ConnectionFailedError(message, { code, cause });
    return { error, isRetryable: true };
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await readText(response);
  const retryAfter = headers.get('retry-after') ?? '';
  return {
    status,
    retryAfter: /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    body: parseObject(text),
  };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'success' in value) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Not JSON: a page of a proxy, or of something that is not the API.
  }
  return undefined;
}

/** Success is status 200 and `success: true` together; anything else fails closed. */
function judge(answer: Answer): Attempt {
  const { status, body } = answer;
  if (status === 200 && body?.success === true) return { body };
  if (body?.success !== false || typeof body.error_code !== 'string') return judgeForeign(answer);
  const error = createAnswerError(String(body.message), {
    ...(toCamelFields(body) as Record<string, never>),
    code: body.error_code,
    status,
    retryAfter: readSeconds(body.retry_after) ?? answer.retryAfter,
    requestId: answer.requestId ?? (body.request_id as string | undefined),
  });
  const isRetryable =
    status === 503 ||
    error.code === 'request_in_progress' ||
    (status === 429 && !LIMITS_TO_REPORT.includes(error.code));
  if (error.retryAfter === undefined) return { error, isRetryable };
  return { error, isRetryable, waitMs: error.retryAfter * 1_000 };
}

/** A gateway in front of the service may be asked again; whatever else answered is not the API. */
function judgeForeign({ status, requestId, retryAfter }: Answer): Attempt {
  const message = `Ответ ${status} пришёл не от API: проверьте baseUrl и прокси`;
  const facts = { code: 'unexpected_answer', status, requestId, retryAfter };
  const error = new UnavailableError(message, facts);
  const isRetryable = status === 502 || status === 503 || status === 504;
  if (retryAfter === undefined) return { error, isRetryable };
  return { error, isRetryable, waitMs: retryAfter * 1_000 };
}

function readSeconds(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function backoffMs(retries: number): number {
  const fullMs = Math.min(BACKOFF_MS * 2 ** retries, BACKOFF_MAX_MS);
  return fullMs * (0.5 + Math.random() / 2);
}

function spread(waitMs: number): number {
  return waitMs + Math.random() * SPREAD_MS;
}
