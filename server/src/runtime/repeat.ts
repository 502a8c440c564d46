export type Repetition = {
  /** Resolves when the run under way has ended. */
  stop(): Promise<void>;
};

export type RepeatOptions = {
  /** Between the end of a run and the start of the next. */
  pauseMs: number;
  /** True when there is more to do: the next run follows without a pause. */
  run(): Promise<boolean>;
  /** A failed run does not end the repetition. */
  onError(error: unknown): void;
  /** Whether a stop runs once more, for work that has arrived since the last run. */
  runsOnStop?: boolean;
};

/** Runs repeatedly, never twice at a time, until it is stopped. */
export function repeatEvery({
  pauseMs,
  run,
  onError,
  runsOnStop = false,
}: RepeatOptions): Repetition {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const runAndSchedule = async () => {
    try {
      while ((await run()) && !isStopped);
    } catch (error) {
      onError(error);
    }
    if (!isStopped) schedule();
  };
  const schedule = () => {
    timer = setTimeout(() => {
      running = runAndSchedule();
    }, pauseMs);
  };
  schedule();

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      if (runsOnStop) await runAndSchedule();
    },
  };
}
