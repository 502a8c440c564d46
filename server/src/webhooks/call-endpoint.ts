/**
 * One call of an endpoint. The address is the company's own, so it is treated as hostile: every
 * address that the name resolves to is checked when the connection is made, and exactly a checked one
 * is dialled; no redirect is followed; little of the answer is read.
 */
import {
  WEBHOOK_RETRY_AFTER_SECONDS_MAX,
  WEBHOOK_TIMEOUT_SECONDS,
} from '@zhiber/contract/api/events.ts';
import {
  ANSWER_BYTES_STORED_MAX,
  type TryError,
  type TryOutcome,
} from '@zhiber/contract/cabinet/webhooks.ts';
import type { Agent, Dispatcher } from 'undici';
import { createLazy } from '../runtime/cache.ts';
import {
  createCheckedConnector,
  NOT_PUBLIC_CODE,
  NotPublic,
  type Resolve,
} from './checked-connector.ts';
import { readWebhookUrl, type WebhookReach } from './webhook-url.ts';

export type EndpointCall = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** How a call ended. `error` is set unless it was a success. */
export type CallResult = {
  outcome: TryOutcome;
  error: TryError | null;
  status: number | null;
  durationMs: number;
  answer: string | null;
  isAnswerCut: boolean;
  /** Of an answer 429 or 503. */
  retryAfterSeconds: number | undefined;
};

export type EndpointCaller = {
  call(call: EndpointCall): Promise<CallResult>;
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_MS = 3_000;
/** A receiver has answered with its status; its text is waited for only a moment. */
const ANSWER_WAIT_MS = 1_000;
const ANSWER_BYTES_READ_MAX = 4 * 1024;
const HEADER_BYTES_MAX = 8 * 1024;
/** Shorter than the usual keep-alive of servers, so that our side closes idle connections. */
const KEEP_ALIVE_MS = 4_000;

export function createEndpointCaller(options: {
  reach: WebhookReach;
  resolve: Resolve;
  /** Tests wait less. */
  timeoutMs?: number;
}): EndpointCaller {
  const { reach, timeoutMs = WEBHOOK_TIMEOUT_SECONDS * 1_000 } = options;
  // Imported with the first call: most installations and commands need it much later, or never.
  const open = createLazy(async () => {
    const undici = await import('undici');
    const agent = new undici.Agent({
      connect: createCheckedConnector(undici.buildConnector, {
        ...options,
        timeoutMs: CONNECT_TIMEOUT_MS,
      }),
      pipelining: 1,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    });
    return { agent, request: undici.request };
  });
  let isOpened = false;

  return {
    async call(call) {
      const startedMs = performance.now();
      isOpened = true;
      const { agent, request } = await open();
      const signal = AbortSignal.timeout(timeoutMs);
      const send = () => sendOnce({ agent, request, reach }, call, signal);
      const result = await send().catch((error: unknown) => failureOf(error, signal));
      return { ...result, durationMs: Math.round(performance.now() - startedMs) };
    },
    async close() {
      if (isOpened) await (await open()).agent.destroy();
    },
  };
}

type Result = Omit<CallResult, 'durationMs'>;

async function sendOnce(
  {
    agent,
    request,
    reach,
  }: {
    agent: Agent;
    request: typeof import('undici').request;
    reach: WebhookReach;
  },
  { url, headers, body }: EndpointCall,
  signal: AbortSignal,
): Promise<Result> {
  // The rules may have become stricter since it was stored: a sandbox that went public.
  if (typeof readWebhookUrl(url, reach) === 'string') throw new NotPublic(url);
  const response = await request(url, {
    dispatcher: agent,
    method: 'POST',
    headers: { ...headers, 'accept-encoding': 'identity' },
    body,
    signal,
  });
  const { text, isCut } = await readAnswer(response.body, signal);
  return {
    ...judgeStatus(response.statusCode),
    status: response.statusCode,
    answer: text,
    isAnswerCut: isCut,
    retryAfterSeconds: readRetryAfter(response.statusCode, response.headers['retry-after']),
  };
}

function judgeStatus(status: number): Pick<Result, 'outcome' | 'error'> {
  if (status >= 200 && status <= 299) return { outcome: 'delivered', error: null };
  if (status === 410) return { outcome: 'refused', error: 'gone' };
  const isRedirect = status >= 300 && status <= 399;
  return { outcome: 'refused', error: isRedirect ? 'redirect' : 'status' };
}

/** Reads the beginning of the answer. Whatever happens to the rest, the status has been said. */
async function readAnswer(
  body: Dispatcher.ResponseData['body'],
  signal: AbortSignal,
): Promise<{ text: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isWhole = true;
  const timer = setTimeout(() => body.destroy(), ANSWER_WAIT_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_BYTES_READ_MAX) break;
    }
  } catch {
    // Cut off by the time limit, or by the receiver.
    isWhole = false;
  } finally {
    clearTimeout(timer);
    if (signal.aborted || size >= ANSWER_BYTES_READ_MAX) body.destroy();
  }
  const bytes = Buffer.concat(chunks);
  return {
    text: safeText(bytes.subarray(0, ANSWER_BYTES_STORED_MAX)),
    isCut: !isWhole || bytes.length > ANSWER_BYTES_STORED_MAX,
  };
}

/** Without what a terminal or a database takes for a command, and without broken characters. */
export function safeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8')
    .decode(bytes)
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{C}\n\t]/gu, '\u{fffd}');
}

const SECONDS_PER_MS = 0.001;

export function readRetryAfter(
  status: number,
  header: string | string[] | undefined,
  now = Date.now(),
): number | undefined {
  if ((status !== 429 && status !== 503) || typeof header !== 'string') return undefined;
  const isSeconds = /^\d{1,9}$/.test(header.trim());
  const seconds = isSeconds
    ? Number(header)
    : Math.ceil((Date.parse(header) - now) * SECONDS_PER_MS);
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), WEBHOOK_RETRY_AFTER_SECONDS_MAX);
}

const ERRORS: Readonly<Record<string, TryError>> = {
  [NOT_PUBLIC_CODE]: 'not_public',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timed_out',
  ETIMEDOUT: 'connect_timed_out',
  UND_ERR_HEADERS_TIMEOUT: 'timed_out',
  UND_ERR_BODY_TIMEOUT: 'timed_out',
  UND_ERR_HEADERS_OVERFLOW: 'bad_answer',
  ENOTFOUND: 'name_unknown',
  EAI_AGAIN: 'name_unknown',
  ENODATA: 'name_unknown',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  EPROTO: 'tls',
};

/** Certificates have dozens of faults, and OpenSSL a code for each. */
const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

function failureOf(error: unknown, signal: AbortSignal): Result {
  const found = signal.aborted ? 'timed_out' : errorOf(error as NodeJS.ErrnoException);
  return {
    outcome: OUTCOMES[found] ?? 'unreachable',
    error: found,
    status: null,
    answer: null,
    isAnswerCut: false,
    retryAfterSeconds: undefined,
  };
}

const OUTCOMES: Partial<Record<TryError, TryOutcome>> = {
  timed_out: 'timed_out',
  connect_timed_out: 'timed_out',
  not_public: 'blocked',
  bad_answer: 'refused',
};

function errorOf({ code = '', name }: NodeJS.ErrnoException): TryError {
  const known = ERRORS[code];
  if (known !== undefined) return known;
  if (TLS_CODE.test(code)) return 'tls';
  return name === 'HTTPParserError' ? 'bad_answer' : 'connection_lost';
}
