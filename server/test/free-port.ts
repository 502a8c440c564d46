import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports that the system assigns. */
const FIRST_PORT = 20_000;
const PORTS_PER_PROCESS = 40;
const PROCESSES = 300;

let portsTried = 0;

/**
 * A port that a server can keep over restarts. Each process has its own range of ports, because
 * test files run in parallel.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const offset = (process.pid % PROCESSES) * PORTS_PER_PROCESS;
    const port = FIRST_PORT + offset + (portsTried++ % PORTS_PER_PROCESS);
    const server = createServer();
    const isFree = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, () => resolve(true));
    });
    if (!(await isFree)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
