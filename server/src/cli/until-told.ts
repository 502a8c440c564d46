/** The same Ctrl-C may reach us twice at once, through the launcher and from the terminal. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Resolves when the process is told to stop: by a signal, or by the end of the launcher that
 * started it, for then nobody is left to stop us. A second signal a while later is from somebody
 * who will not wait, and ends it at once.
 */
export function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    let toldAt: number | undefined;
    const onSignal = () => {
      const now = performance.now();
      if (toldAt !== undefined && now - toldAt > SAME_SIGNAL_MS) process.exit(1);
      toldAt ??= now;
      resolve();
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    process.once('disconnect', resolve);
  });
}
