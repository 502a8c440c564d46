/**
 * HTTP calls to a provider of messages or payments. A call without an answer is classified by whether
 * the request may have been sent. Each provider has its own connection pool, so that a slow one does not delay others.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { type JsonObject, readObject } from '../json-object.ts';
import { createLazy } from './cache.ts';
import { createSemaphore } from './semaphore.ts';

export type ProviderCall = {
  method: 'GET' | 'POST';
  /** Including the query; appended to the path of the provider's address. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
};

export type ProviderAnswer = { kind: 'answer'; status: number; text: string } | NoAnswer;

export type NoAnswer =
  /** Not a byte of the request was written. */
  | { kind: 'not_sent'; why: string }
  /** The request was sent and no complete answer came: its result is unknown. */
  | { kind: 'broken'; why: string };

export type ProviderClient = {
  call(request: ProviderCall): Promise<ProviderAnswer>;
  close(): Promise<void>;
};

/** Hardly any answer is longer; a longer one is a fault or an attack. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** As many as channels/circuit-breaker.ts lets through, so that no message waits for a connection. */
const CONNECTIONS_DEFAULT = 256;
/** Long enough for a working provider, short enough to try another one afterwards. */
const CONNECT_TIMEOUT_MS = 1_500;
/** After this wait for a connection there is still time to try another provider. */
const CONNECTION_WAIT_MS = 1_500;
/** A backstop: each call has its own deadline in its signal. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Shorter than the usual keep-alive of servers, so that our side closes idle connections. */
const KEEP_ALIVE_MS = 4_000;

export function createProviderClient(options: {
  url: string;
  /** The limit of concurrent calls; others wait up to `CONNECTION_WAIT_MS`. */
  connections?: number;
  /** For a provider with longer answers than usual. */
  answerBytesMax?: number;
}): ProviderClient {
  const { connections = CONNECTIONS_DEFAULT, answerBytesMax = ANSWER_BYTES_MAX } = options;
  const semaphore = createSemaphore(connections);
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/$/, '');
  // Imported with the first provider: the sandbox and most commands start sooner without undici.
  const open = createLazy(async () => {
    const undici = await import('undici');
    return new undici.Pool(base.origin, {
      connections,
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxResponseSize: answerBytesMax,
    });
  });
  // Starts loading now. If it fails, the first call tries again and reports the error.
  open().catch(() => undefined);
  return {
    async call(request) {
      const { signal } = request;
      const release = await semaphore.acquire({ signal, waitMsMax: CONNECTION_WAIT_MS });
      if (release === undefined) return { kind: 'not_sent', why: 'no connection is free' };
      try {
        const pool = await open().catch((error: Error) => error);
        if (pool instanceof Error) return notSent(pool);
        return await callOnce(pool, { ...request, path: prefix + request.path });
      } finally {
        release();
      }
    },
    close: () =>
      open().then(
        (pool) => pool.destroy(),
        () => undefined,
      ),
  };
}

function callOnce(pool: Pool, { method, path, headers, body, signal }: ProviderCall) {
  return new Promise<ProviderAnswer>((resolve) => {
    let hasStarted = false;
    let status = 0;
    let abort: ((reason: Error) => void) | undefined;
    const chunks: Buffer[] = [];
    const onAbort = () => {
      const error = new Error('no answer in time');
      finish(hasStarted ? { kind: 'broken', why: error.message } : notSent(error));
      abort?.(error);
    };
    const finish = (answer: ProviderAnswer) => {
      signal.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    if (signal.aborted) return finish({ kind: 'not_sent', why: 'called off' });
    signal.addEventListener('abort', onAbort, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      // The connection is open, and the first byte is about to be written.
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason);
        if (signal.aborted) controller.abort(new Error('called off'));
        else hasStarted = true;
      },
      onResponseStart(controller, statusCode, answerHeaders) {
        status = statusCode;
        if (isEncoded(answerHeaders)) controller.abort(new Error('an answer in an odd encoding'));
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        finish({ kind: 'answer', status, text: Buffer.concat(chunks).toString('utf8') });
      },
      onResponseError(_controller, error) {
        finish(hasStarted ? { kind: 'broken', why: error.message } : notSent(error));
      },
    };
    const allHeaders = { accept: 'application/json', 'accept-encoding': 'identity', ...headers };
    pool.dispatch({ method, path, headers: allHeaders, body: body ?? null }, handler);
  });
}

function notSent(error: Error): ProviderAnswer {
  return { kind: 'not_sent', why: (error as NodeJS.ErrnoException).code ?? error.message };
}

/** We only accept `identity`: decompression could turn a small answer into a huge one. */
function isEncoded(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** A proxy or the server stopped waiting, so the result is unknown. */
const TIMED_OUT = 408;

/** A 4xx status that definitely refuses the request. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499 && status !== TIMED_OUT;
}

/**
 * For providers that answer every call with 200 and report errors in the body. Undefined unless the
 * answer is a 2xx with a JSON object.
 */
export function readAnswerBody(answer: ProviderAnswer): JsonObject | undefined {
  return answer.kind === 'answer' && isSuccess(answer.status) ? readObject(answer.text) : undefined;
}
