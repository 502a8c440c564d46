/**
 * The load client. It is a separate process, so that it does not share a thread with what it
 * measures. It receives a plan from its parent and replies with the results. It uses plain sockets:
 * a client library would cost more than the server it measures.
 */
import { connect, type Socket } from 'node:net';
import type { Calls, LoadPlan, LoadResult } from './load-plan.ts';
import { createRequests, type NextRequest } from './requests.ts';

/** A call that takes longer counts as a broken connection. */
const ANSWER_TIMEOUT_MS = 30_000;

type Tally = {
  kind: Calls['kind'];
  measuredFromMs: number;
  next: NextRequest;
  callsSent: number;
  statuses: Record<string, number>;
  goodMs: number[];
  refusedMs: number[];
};

type Connection = { send(tally: Tally, dueMs: number): void; close(): void };

process.on('message', (plan: LoadPlan) => {
  void run(plan).then((results) => process.send?.(results));
});
process.on('disconnect', () => process.exit());

async function run(plan: LoadPlan): Promise<LoadResult[]> {
  const startedMs = performance.now();
  const measuredFromMs = startedMs + (plan.leadInSeconds ?? 0) * 1_000;
  const endMs = measuredFromMs + plan.seconds * 1_000;
  const tallies = plan.calls.map((calls) => toTally(calls, measuredFromMs));
  await (plan.ratePerSecond === undefined
    ? closedLoop(plan, tallies, endMs)
    : openLoop({ ...plan, ratePerSecond: plan.ratePerSecond }, tallies, startedMs, endMs));
  const seconds = (Math.min(performance.now(), endMs) - measuredFromMs) / 1_000;
  return tallies.map((tally) => toResult(tally, seconds));
}

function toTally(calls: Calls, measuredFromMs: number): Tally {
  return {
    kind: calls.kind,
    measuredFromMs,
    next: createRequests(calls),
    callsSent: 0,
    statuses: {},
    goodMs: [],
    refusedMs: [],
  };
}

/** Each connection sends the next call as soon as it is answered: this measures capacity. */
async function closedLoop(plan: LoadPlan, tallies: Tally[], endMs: number): Promise<void> {
  let turn = 0;
  await Promise.all(
    Array.from({ length: plan.connections }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const sendNext = () => {
        const now = performance.now();
        if (now >= endMs) {
          connection.close();
          resolve();
          return;
        }
        connection.send(tallies[turn++ % tallies.length] as Tally, now);
      };
      const connection = openConnection(plan.port, sendNext);
      return promise;
    }),
  );
}

/**
 * Calls are sent when they are due, and latency is measured from then: a server that falls behind
 * does not slow down the load. A call that finds every connection busy is dropped.
 */
async function openLoop(
  plan: LoadPlan & { ratePerSecond: number },
  tallies: Tally[],
  startedMs: number,
  endMs: number,
): Promise<void> {
  const free: Connection[] = [];
  const connections = Array.from({ length: plan.connections }, () => {
    const connection = openConnection(plan.port, () => free.push(connection));
    return connection;
  });
  let due = 0;
  await new Promise<void>((resolve) => {
    const tick = setInterval(() => {
      const now = Math.min(performance.now(), endMs);
      const wanted = Math.ceil(((now - startedMs) / 1_000) * plan.ratePerSecond);
      for (; due < wanted; due++) {
        const dueMs = startedMs + (due / plan.ratePerSecond) * 1_000;
        free.pop()?.send(tallies[due % tallies.length] as Tally, dueMs);
        if (free.length === 0) due = wanted;
      }
      if (now >= endMs && free.length === connections.length) {
        clearInterval(tick);
        resolve();
      }
    }, 1);
  });
  for (const connection of connections) connection.close();
}

/** One keep-alive connection with one call at a time; it reconnects when it breaks. */
function openConnection(port: number, onFree: () => void): Connection {
  let current: { tally: Tally; dueMs: number; sentMs: number } | undefined;
  let text = '';
  let isClosed = false;
  let socket: Socket;

  const finish = (status: number) => {
    if (current === undefined) return;
    const { tally, dueMs, sentMs } = current;
    current = undefined;
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    const now = performance.now();
    if (now >= tally.measuredFromMs) {
      // The time spent waiting for a free connection is not part of a refusal's latency.
      if (status === 0 || status === 503) tally.refusedMs.push(now - sentMs);
      else tally.goodMs.push(now - dueMs);
    }
    onFree();
  };
  const open = () => {
    text = '';
    socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const status = findStatus(text);
      if (status === undefined) return;
      const isLast = /^connection: close/im.test(text);
      text = '';
      if (isLast) {
        socket.removeAllListeners('close');
        socket.destroy();
        open();
      }
      finish(status);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (isClosed) return;
      open();
      finish(0);
    });
  };
  open();
  setImmediate(onFree);

  return {
    send(tally, dueMs) {
      tally.callsSent += 1;
      current = { tally, dueMs, sentMs: performance.now() };
      socket.write(tally.next(), 'latin1');
    },
    close() {
      isClosed = true;
      socket.destroy();
    },
  };
}

/** The status, once the whole answer has arrived. */
function findStatus(text: string): number | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const at = text.toLowerCase().indexOf('content-length: ');
  const length = at < 0 || at > headEnd ? 0 : Number.parseInt(text.slice(at + 16, at + 26), 10);
  if (text.length < headEnd + 4 + length) return undefined;
  return Number(text.slice(9, 12));
}

function toResult(tally: Tally, seconds: number): LoadResult {
  const good = tally.goodMs.sort((a, b) => a - b);
  const refused = tally.refusedMs.sort((a, b) => a - b);
  return {
    kind: tally.kind,
    callsSent: tally.callsSent,
    good: good.length,
    statuses: tally.statuses,
    perSecond: good.length / seconds,
    p50: quantile(good, 0.5),
    p99: quantile(good, 0.99),
    max: good.at(-1) ?? 0,
    ...(refused.length > 0 && { refusedP99: quantile(refused, 0.99) }),
  };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
