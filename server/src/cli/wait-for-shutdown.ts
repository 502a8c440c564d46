/** One Ctrl-C may arrive twice at once, from the launcher and from the terminal. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Resolves when the process should stop: on a signal, or when its launcher exits, because then
 * nobody else could stop it. A second signal after `SAME_SIGNAL_MS` ends the process at once.
 */
export function waitForShutdown(): Promise<void> {
  return new Promise((resolve) => {
    let signalledAt: number | undefined;
    const onSignal = () => {
      const now = performance.now();
      if (signalledAt !== undefined && now - signalledAt > SAME_SIGNAL_MS) process.exit(1);
      signalledAt ??= now;
      resolve();
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    process.once('disconnect', resolve);
  });
}
