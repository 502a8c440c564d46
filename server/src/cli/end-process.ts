/** A database that hangs never closes its end of the connection. */
const OPEN_HANDLES_LIMIT_MS = 1_000;

/** Ends the process with this code when output is flushed, at most 1 s later. */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  // The IPC channel to the launcher would keep the process alive.
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(), OPEN_HANDLES_LIMIT_MS).unref();
}
