import type { Logger } from 'pino';
import { isDatabaseAway } from './sql-errors.ts';

export type Rounds = {
  /** Comes back when the last round has ended. */
  stop(): Promise<void>;
};

export type RoundSettings = {
  /** Under which the log tells of a round that failed. */
  name: string;
  pauseMs: number;
  /** Whether a stop does one round more, for what has come since the last. */
  endsWithRound: boolean;
  /** One round; true when more is waiting, and there shall be no pause. */
  round(): Promise<boolean>;
};

/**
 * Does a round again and again until it is stopped. After a round that failed the next one comes all
 * the same. That the database is away is told elsewhere, once.
 */
export function inRounds(log: Logger, settings: RoundSettings): Rounds {
  const { name, pauseMs, endsWithRound, round } = settings;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const run = async () => {
    try {
      while ((await round()) && !isStopped);
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, name);
    }
    if (!isStopped) schedule();
  };
  const schedule = () => {
    timer = setTimeout(() => {
      running = run();
    }, pauseMs);
  };
  schedule();

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      if (endsWithRound) await run();
    },
  };
}
