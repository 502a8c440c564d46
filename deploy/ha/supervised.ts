/** A process that is started again when it dies, as systemd would do it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

const RESTART_PAUSE_MS = 1_000;

export type Supervised = {
  readonly pid: number | undefined;
  /** Starts it, or does nothing while it runs. */
  start(): void;
  /** Ends it, and leaves it ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
};

export function supervise(options: {
  command: string;
  args: readonly string[];
  cwd: string;
  /** Everything that it writes goes to the end of this file. */
  logFile: string;
  env?: NodeJS.ProcessEnv;
  account?: { uid: number; gid: number } | undefined;
}): Supervised {
  const { command, args, cwd, logFile, env = process.env, account } = options;
  let child: ChildProcess | undefined;
  let restart: NodeJS.Timeout | undefined;
  let isWanted = false;

  const run = () => {
    const log = openSync(logFile, 'a');
    const started = spawn(command, [...args], {
      cwd,
      env,
      stdio: ['ignore', log, log],
      ...account,
    });
    closeSync(log);
    child = started;
    const onEnd = () => {
      if (child === started) child = undefined;
      if (isWanted) restart = setTimeout(run, RESTART_PAUSE_MS);
    };
    // Only one of the two events comes.
    started.once('exit', onEnd);
    started.once('error', onEnd);
  };

  return {
    get pid() {
      return child?.pid;
    },
    start() {
      if (isWanted) return;
      isWanted = true;
      run();
    },
    async stop(signal = 'SIGTERM') {
      isWanted = false;
      clearTimeout(restart);
      const running = child;
      if (running === undefined) return;
      const ended = once(running, 'exit');
      running.kill(signal);
      await ended;
    },
  };
}
