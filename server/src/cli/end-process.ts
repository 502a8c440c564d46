/** A connection to a database that hangs is never closed by its other end. */
const OPEN_HANDLES_LIMIT_MS = 1_000;

/** Ends the process with this code once all is written; what is still open then is left behind. */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  // The channel to the launcher would keep the process alive.
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(), OPEN_HANDLES_LIMIT_MS).unref();
}
