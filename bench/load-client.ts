/**
 * The client, a process of its own so that it does not share its thread with what it measures. It
 * takes a plan from its parent and answers with what came of it. Plain sockets: a client library
 * would cost more than the server it measures.
 */
import { connect, type Socket } from 'node:net';
import type { Calls, LoadPlan, LoadResult } from './load-plan.ts';
import { type NextRequest, requestsOf } from './requests.ts';

/** What a call may take at most before it counts as broken. */
const ANSWER_LIMIT_MS = 30_000;

type Tally = {
  kind: Calls['kind'];
  countedFromMs: number;
  next: NextRequest;
  asked: number;
  statuses: Record<string, number>;
  goodMs: number[];
  refusedMs: number[];
};

type Line = { ask(tally: Tally, dueMs: number): void; close(): void };

process.on('message', (plan: LoadPlan) => {
  void run(plan).then((results) => process.send?.(results));
});
process.on('disconnect', () => process.exit());

async function run(plan: LoadPlan): Promise<LoadResult[]> {
  const startedMs = performance.now();
  const countedFromMs = startedMs + (plan.leadInSeconds ?? 0) * 1_000;
  const endMs = countedFromMs + plan.seconds * 1_000;
  const tallies = plan.calls.map((calls) => toTally(calls, countedFromMs));
  await (plan.ratePerSecond === undefined
    ? closedLoop(plan, tallies, endMs)
    : openLoop({ ...plan, ratePerSecond: plan.ratePerSecond }, tallies, startedMs, endMs));
  const seconds = (Math.min(performance.now(), endMs) - countedFromMs) / 1_000;
  return tallies.map((tally) => toResult(tally, seconds));
}

function toTally(calls: Calls, countedFromMs: number): Tally {
  return {
    kind: calls.kind,
    countedFromMs,
    next: requestsOf(calls),
    asked: 0,
    statuses: {},
    goodMs: [],
    refusedMs: [],
  };
}

/** Each connection asks again as soon as it is answered: this finds the capacity. */
async function closedLoop(plan: LoadPlan, tallies: Tally[], endMs: number): Promise<void> {
  let turn = 0;
  await Promise.all(
    Array.from({ length: plan.connections }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const ask = () => {
        const now = performance.now();
        if (now >= endMs) {
          line.close();
          resolve();
          return;
        }
        line.ask(tallies[turn++ % tallies.length] as Tally, now);
      };
      const line = openLine(plan.port, ask);
      return promise;
    }),
  );
}

/**
 * Calls leave when they are due, and their time is counted from then: a server that falls behind
 * cannot slow down those who ask. A call that finds every connection busy is not made.
 */
async function openLoop(
  plan: LoadPlan & { ratePerSecond: number },
  tallies: Tally[],
  startedMs: number,
  endMs: number,
): Promise<void> {
  const free: Line[] = [];
  const lines = Array.from({ length: plan.connections }, () => {
    const line = openLine(plan.port, () => free.push(line));
    return line;
  });
  let due = 0;
  await new Promise<void>((resolve) => {
    const tick = setInterval(() => {
      const now = Math.min(performance.now(), endMs);
      const wanted = Math.ceil(((now - startedMs) / 1_000) * plan.ratePerSecond);
      for (; due < wanted; due++) {
        const dueMs = startedMs + (due / plan.ratePerSecond) * 1_000;
        free.pop()?.ask(tallies[due % tallies.length] as Tally, dueMs);
        if (free.length === 0) due = wanted;
      }
      if (now >= endMs && free.length === lines.length) {
        clearInterval(tick);
        resolve();
      }
    }, 1);
  });
  for (const line of lines) line.close();
}

/** One keep-alive connection that carries one call at a time, and is opened again when it breaks. */
function openLine(port: number, onFree: () => void): Line {
  let current: { tally: Tally; dueMs: number; askedMs: number } | undefined;
  let text = '';
  let isClosed = false;
  let socket: Socket;

  const finish = (status: number) => {
    if (current === undefined) return;
    const { tally, dueMs, askedMs } = current;
    current = undefined;
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    const now = performance.now();
    if (now >= tally.countedFromMs) {
      // What a call waited for a free connection is not the time of its refusal.
      if (status === 0 || status === 503) tally.refusedMs.push(now - askedMs);
      else tally.goodMs.push(now - dueMs);
    }
    onFree();
  };
  const open = () => {
    text = '';
    socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const status = wholeAnswer(text);
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
    ask(tally, dueMs) {
      tally.asked += 1;
      current = { tally, dueMs, askedMs: performance.now() };
      socket.write(tally.next(), 'latin1');
    },
    close() {
      isClosed = true;
      socket.destroy();
    },
  };
}

/** The status, once the whole answer is here. */
function wholeAnswer(text: string): number | undefined {
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
    asked: tally.asked,
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
