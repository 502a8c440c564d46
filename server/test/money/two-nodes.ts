import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { openChannels } from '../../src/channels/open-channels.ts';
import { systemClock } from '../../src/clock.ts';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { createHttpServer } from '../../src/http/transport/server.ts';
import { openMemory } from '../../src/memory.ts';
import { openBackground } from '../../src/runtime/background.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { checkAnswer } from '../check-answer.ts';
import type { ServerConnection } from '../copy-database.ts';
import { type ApiAnswer, useService } from '../harness.ts';
import { retryWhileOverloaded } from '../retry-while-overloaded.ts';

type Providers = NonNullable<Parameters<typeof useService>[0]>['providers'];
type Service = ReturnType<typeof useService>;
type Post = (
  path: string,
  body: unknown,
  request: { key: string; headers?: Record<string, string> },
) => Promise<ApiAnswer>;

type OpenedContext = { ctx: Context; sandbox: Sandbox; close(): Promise<void> };

/** A second node on the same database, within this process: its own pool, caches and queues. */
export function openContext(service: Service, providers: Providers = {}): OpenedContext {
  return openNode(service, providers);
}

/** A service, and the context of the same service after a restart, with nothing in memory. */
export function useRestartedService(providers: NonNullable<Providers>) {
  let opened: OpenedContext | undefined;
  // Registered before the hook of the service, so that this closes before the database.
  after(async () => opened?.close());
  const service = useService({ providers });
  const restarted = (): Context => {
    opened ??= openContext(service, providers);
    return opened.ctx;
  };
  return { service, restarted };
}

/** How to connect to the database of a service. */
export function connectionOf(service: Service): ServerConnection {
  const { host, port, user, password, database } = service.ctx.db.pool.options;
  return { host, port, user, password, database } as ServerConnection;
}

function openNode(service: Service, providers: Providers = {}) {
  const log = pino({ level: 'error' }, pino.destination(2));
  const db = openDatabase(connectionOf(service), log, service.ctx.config.databaseTimeoutMs);
  const sandbox = createSandbox(systemClock);
  const ctx: Context = {
    ...service.ctx,
    ...openMemory({ db, clock: systemClock, log }),
    db,
    log,
    ...openBackground(log),
    channels: openChannels(sandbox.adapters, providers),
  };
  sandbox.onReceipt((report) => recordReceipt(ctx, report));
  const close = async () => {
    sandbox.stop();
    await Promise.all([ctx.fallbacks.close(), ctx.background.close()]);
    await db.close();
  };
  return { ctx, sandbox, close };
}

/** Two nodes of the service on one database, reached over real sockets. Opened when first used. */
export function useTwoNodes() {
  const agent = new Agent({ keepAlive: true });
  const closers: (() => Promise<unknown>)[] = [];
  let node: ReturnType<typeof openNode> | undefined;
  let posts: Promise<Post[]> | undefined;

  // Registered before the hook of the service, so that the nodes close before the database.
  after(async () => {
    agent.destroy();
    // Closes all, also when one fails: an open connection keeps the test file from ending.
    await closers.reduce((before, close) => before.finally(close), Promise.resolve<unknown>(0));
  });
  const service = useService();

  const second = () => {
    if (node === undefined) {
      node = openNode(service);
      closers.push(node.close);
    }
    return node;
  };
  const listenAll = async () => {
    const { ctx, sandbox } = second();
    const http = createHttpServer(ctx, sandbox);
    closers.unshift(() => http.close());
    return [await listen(service.http, agent), await listen(http, agent)];
  };

  return {
    service,
    /** The context of the second node. */
    otherCtx: (): Context => second().ctx,
    /** Sends a request to the first node for an even index, to the second for an odd one. */
    async post(index: number, ...args: Parameters<Post>): Promise<ApiAnswer> {
      posts ??= listenAll();
      return await ((await posts)[index % 2] as Post)(...args);
    },
    /** Runs many requests at once, and repeats those that an overloaded service refused. */
    async allAtOnce(
      count: number,
      ask: (index: number) => Promise<ApiAnswer>,
    ): Promise<ApiAnswer[]> {
      const { answers } = await retryWhileOverloaded({
        count,
        ask: (numbers) => Promise.all(numbers.map(ask)),
        sql: service.sql,
      });
      return answers;
    },
  };
}

async function listen(server: FastifyInstance, agent: Agent): Promise<Post> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return (path, body, { key, headers }) =>
    new Promise((resolve, reject) => {
      const payload = JSON.stringify(body);
      const sending = request(
        {
          agent,
          host: '127.0.0.1',
          port,
          method: 'POST',
          path: `/api${path}`,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            try {
              const answered: ApiAnswer = {
                status: response.statusCode ?? 0,
                body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
                headers: response.headers,
              };
              checkAnswer({ path, method: 'POST', ...answered });
              resolve(answered);
            } catch (error) {
              reject(error);
            }
          });
        },
      );
      sending.on('error', reject);
      sending.end(payload);
    });
}

/** The attempts_left of the wrong guesses that were compared, highest first. */
export function attemptsLeft(answers: readonly ApiAnswer[]): unknown[] {
  return answers
    .filter(({ body }) => body.error_code === 'invalid_code')
    .map(({ body }) => body.attempts_left)
    .sort()
    .reverse();
}

/** How many answers had each outcome: the error code, or `ok`. */
export function tally(answers: readonly ApiAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { body } of answers) {
    const outcome = body.success === true ? 'ok' : String(body.error_code);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
