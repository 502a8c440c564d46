/**
 * Calls to a provider over HTTP, told apart by the one thing that counts: whether the message may
 * have left. Each provider has connections of its own, so that a slow one slows nobody else.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { createLazy } from '../../cache.ts';
import type { Outcome } from '../channel.ts';
import { createPlaces } from '../places.ts';
import { unavailable, unknown } from '../verdict.ts';

export type ProviderCall = {
  method: 'GET' | 'POST';
  /** With its query; joined to the path of the provider's address. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
};

export type ProviderAnswer = { kind: 'answer'; status: number; text: string } | NoAnswer;

export type NoAnswer =
  /** Not a byte of the call has left this machine. */
  | { kind: 'not_sent'; why: string }
  /** It left, and no whole answer came: nobody knows what became of it. */
  | { kind: 'broken'; why: string };

export type ProviderClient = {
  call(request: ProviderCall): Promise<ProviderAnswer>;
  close(): Promise<void>;
};

/** No provider has more to say than this; more is a fault, or an attack. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** As many as there may be messages under way: none should wait for another to come back. */
const CONNECTIONS_DEFAULT = 256;
/** Long enough for any that works, and short enough to ask another one afterwards. */
const CONNECT_TIMEOUT_MS = 1_500;
/** Who has waited so long for a connection can still be sent by another provider. */
const PATIENCE_MS = 1_500;
/** Each call brings its own limit; this one is for a limit that somebody forgot. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Shorter than servers usually keep an idle connection, so that it is we who end it. */
const KEEP_ALIVE_MS = 4_000;

export function createProviderClient(options: {
  url: string;
  /** As many calls are under way at once; the others wait for a moment. */
  connections?: number;
}): ProviderClient {
  const { connections = CONNECTIONS_DEFAULT } = options;
  const places = createPlaces(connections);
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/$/, '');
  // Loaded with the first provider: the sandbox, and most commands, start sooner without it.
  const open = createLazy(async () => {
    const undici = await import('undici');
    return new undici.Pool(base.origin, {
      connections,
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxResponseSize: ANSWER_BYTES_MAX,
    });
  });
  // Ahead of the first call, which tries again and says what is wrong.
  open().catch(() => undefined);
  return {
    async call(request) {
      const { signal } = request;
      const leave = await places.take({ signal, isUrgent: false, waitMsMax: PATIENCE_MS });
      if (leave === undefined) return { kind: 'not_sent', why: 'no connection is free' };
      try {
        const pool = await open().catch((error: Error) => error);
        if (pool instanceof Error) return notSent(pool);
        return await callOnce(pool, { ...request, path: prefix + request.path });
      } finally {
        leave();
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
    let hasLeft = false;
    let status = 0;
    let abort: ((reason: Error) => void) | undefined;
    const chunks: Buffer[] = [];
    const giveUp = () => {
      const error = new Error('no answer in time');
      finish(hasLeft ? { kind: 'broken', why: error.message } : notSent(error));
      abort?.(error);
    };
    const finish = (answer: ProviderAnswer) => {
      signal.removeEventListener('abort', giveUp);
      resolve(answer);
    };
    if (signal.aborted) return finish({ kind: 'not_sent', why: 'called off' });
    signal.addEventListener('abort', giveUp, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      // A connection is there, and the first byte is about to be written.
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason);
        if (signal.aborted) controller.abort(new Error('called off'));
        else hasLeft = true;
      },
      onResponseStart(controller, statusCode, answerHeaders) {
        status = statusCode;
        if (isPacked(answerHeaders)) controller.abort(new Error('an answer in an odd encoding'));
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        finish({ kind: 'answer', status, text: Buffer.concat(chunks).toString('utf8') });
      },
      onResponseError(_controller, error) {
        finish(hasLeft ? { kind: 'broken', why: error.message } : notSent(error));
      },
    };
    const sent = { accept: 'application/json', 'accept-encoding': 'identity', ...headers };
    pool.dispatch({ method, path, headers: sent, body: body ?? null }, handler);
  });
}

function notSent(error: Error): ProviderAnswer {
  return { kind: 'not_sent', why: (error as NodeJS.ErrnoException).code ?? error.message };
}

/** Nobody asked for it, and unpacking is how a small answer becomes a large one. */
function isPacked(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

/** What a call comes to when there is no answer to read. */
export function outcomeWithoutAnswer({ kind }: NoAnswer): Outcome {
  return kind === 'not_sent'
    ? unavailable('Провайдер недоступен')
    : unknown('Провайдер не ответил');
}
