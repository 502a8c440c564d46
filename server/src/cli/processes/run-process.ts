import type { Logger } from 'pino';
import type { App } from '../../app.ts';
import { sentenceOf } from '../failures.ts';
import { Refusal } from '../grammar/command.ts';
import type { StartFacts } from '../start-block.ts';
import type { FromProcess, ToProcess } from './messages.ts';

const PROVIDERS_EVERY_MS = 2_000;

/** One of several processes on one port: reports to the one that has started it, and prints nothing. */
export async function runProcess({
  open,
  describe,
  log,
  stop,
}: {
  open(): Promise<App>;
  describe(app: App): StartFacts;
  log: Logger;
  /** Stops the service within the deadline. */
  stop(app: App): Promise<void>;
}): Promise<number> {
  const tell = (told: FromProcess) => {
    if (process.connected) process.send?.(told);
  };
  // Before anything is opened, so that an aborted start is an orderly one.
  const asked = waitUntilAsked(log);
  let app: App;
  try {
    app = await open();
  } catch (error) {
    tell({ failed: refusalOf(error) ?? (error as Error).stack ?? String(error) });
    return 1;
  }
  if (app.ctx.channels.isSandbox) app.ctx.onCall = (called) => tell({ called });
  const reports = setInterval(
    () => tell({ providers: app.ctx.providers.read() }),
    PROVIDERS_EVERY_MS,
  );
  tell({ started: describe(app) });
  await asked.stop;
  clearInterval(reports);
  await stop(app);
  asked.end();
  return 0;
}

function refusalOf(error: unknown): string | undefined {
  return error instanceof Refusal ? error.message : sentenceOf(error);
}

/**
 * By the process that has started this one, when that one is gone, or by a signal to this one alone.
 * Ctrl-C reaches every process of the terminal, and is left to the first.
 */
function waitUntilAsked(log: Logger): { stop: Promise<void>; end(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    resolve();
  };
  const onDisconnect = () => {
    // The other has been told to stop at once.
    if (isStopping) process.exit(1);
    stop();
  };
  process.on('SIGINT', () => {});
  process.once('SIGTERM', stop);
  process.once('disconnect', onDisconnect);
  process.on('message', (told: ToProcess) => {
    if ('stop' in told) stop();
    else if ('logLevel' in told) log.level = told.logLevel;
  });
  return { stop: promise, end: () => process.off('disconnect', onDisconnect) };
}
