import pino from 'pino';
import { type App, openApp } from '../app.ts';
import type { Config } from '../config.ts';

/** How long requests under way may take to finish before the process ends anyway. */
const STOP_LIMIT_MS = 25_000;

/** Runs the service until it is told to stop. Resolves with the exit code. */
export async function serve(config: Config, show: (app: App) => void): Promise<number> {
  const log = pino(
    { level: config.logLevel },
    pino.destination({ dest: 2, sync: false }),
  );
  const app = await openApp(config, log);
  show(app);
  await untilTold();

  const limit = setTimeout(() => {
    log.error('stopping took too long');
    process.exit(1);
  }, STOP_LIMIT_MS);
  await app.stop();
  clearTimeout(limit);
  return 0;
}

/** A signal, or the end of the launcher that started us: then nobody is left to stop us. */
function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    const told = () => {
      process.disconnect?.();
      resolve();
    };
    process.once('SIGTERM', told);
    process.once('SIGINT', told);
    process.once('disconnect', resolve);
  });
}
