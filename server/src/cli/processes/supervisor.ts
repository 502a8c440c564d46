import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ProviderMetricsRow } from '../../channels/provider-metrics.ts';
import type { FinishedCall } from '../../context.ts';
import { Refusal } from '../grammar/command.ts';
import type { StartFacts } from '../start-block.ts';
import type { FromProcess, ToProcess } from './messages.ts';

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 30_000;
/** A process that has lived longer was no failed start. */
const STEADY_MS = 60_000;

type Run = {
  worker: Worker;
  /** Rejects when it ends before it has started. */
  started: Promise<StartFacts>;
  /** Resolves with the exit code or signal. */
  ended: Promise<number | string>;
  providers: readonly ProviderMetricsRow[];
};

export type Supervisor = {
  /** Starts one more, and keeps it running from then on. */
  start(env?: Record<string, string>): Promise<StartFacts>;
  tellAll(told: ToProcess): void;
  running(): number;
  providers(): (ProviderMetricsRow & { pid: number | undefined })[];
  /** Stops all in order; one that hangs ends itself. */
  stop(): Promise<void>;
};

/** Starts processes that share one port, and starts those again that end. */
export function createSupervisor({
  log,
  onCall,
}: {
  log: Logger;
  onCall(call: FinishedCall): void;
}): Supervisor {
  const shutdown = new AbortController();
  const runs = new Set<Run>();
  const kept: Promise<void>[] = [];
  // All accept from one socket: what a dying process has not accepted is taken by another one.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // Times stay times.
  cluster.setupPrimary({ serialization: 'advanced' });

  const fork = (env: Record<string, string>): Run => {
    const worker = cluster.fork(env);
    const { promise: started, resolve, reject } = Promise.withResolvers<StartFacts>();
    // The channel to a process that ends may break first.
    worker.on('error', () => undefined);
    const exit = Promise.withResolvers<number | string>();
    worker.once('exit', (code, signal) => exit.resolve(signal ?? code));
    const ended = exit.promise.then((reason) => {
      runs.delete(run);
      reject(new Error(`process ${worker.process.pid} ended with ${reason}`));
      return reason;
    });
    // A restart that fails is seen by its end.
    started.catch(() => undefined);
    const run: Run = { worker, started, ended, providers: [] };
    runs.add(run);
    worker.on('message', (told: FromProcess) => {
      if ('started' in told) resolve(told.started);
      else if ('failed' in told) reject(new Refusal(() => told.failed));
      else if ('called' in told) onCall(told.called);
      else if ('providers' in told) run.providers = told.providers;
    });
    return run;
  };

  const keep = async (env: Record<string, string>, first: Run) => {
    let failures = 0;
    let run = first;
    for (;;) {
      const startedMs = performance.now();
      const why = await run.ended;
      if (shutdown.signal.aborted) return;
      failures = why === 0 || performance.now() - startedMs > STEADY_MS ? 0 : failures + 1;
      const pauseMs = why === 0 ? 0 : Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** failures);
      const fields = { ended: why, was: run.worker.process.pid, pause_ms: pauseMs };
      if (why === 0) log.info(fields, 'a process was stopped, and is started again');
      else log.error(fields, 'a process ended, and is started again');
      await pause(pauseMs, undefined, { signal: shutdown.signal }).catch(() => undefined);
      if (shutdown.signal.aborted) return;
      run = fork(env);
    }
  };

  const tellAll = (told: ToProcess) => {
    for (const { worker } of runs) if (worker.isConnected()) worker.send(told);
  };

  return {
    async start(env = {}) {
      const run = fork(env);
      const facts = await run.started;
      kept.push(keep(env, run));
      return facts;
    },
    tellAll,
    running: () => runs.size,
    providers: () =>
      [...runs].flatMap(({ worker, providers }) =>
        providers.map((row) => ({ pid: worker.process.pid, ...row })),
      ),
    async stop() {
      shutdown.abort();
      tellAll({ stop: true });
      await Promise.all([...runs].map(({ ended }) => ended));
      await Promise.all(kept);
    },
  };
}
