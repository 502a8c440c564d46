import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ephemeral ports that the system assigns. */
const FIRST_PORT = 20_000;
/** Four services with all simulators take sixty. */
const PORTS_PER_RANGE = 80;
const RANGES = 150;

let range: Promise<number> | undefined;
let portsTried = 0;

/**
 * A port that a server can keep over restarts. Each process has its own range of ports, because
 * test files run in parallel.
 */
export async function freePort(): Promise<number> {
  range ??= takeRange();
  const first = await range;
  for (let tries = 1; tries < PORTS_PER_RANGE; tries++) {
    const port = first + 1 + (portsTried++ % (PORTS_PER_RANGE - 1));
    const server = createServer();
    if (!(await isListening(server, port))) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`no port is free after ${first}`);
}

/** This process listens on the first port of its range until it exits. Returns that port. */
async function takeRange(): Promise<number> {
  for (let chosen = process.pid; ; chosen++) {
    const first = FIRST_PORT + (chosen % RANGES) * PORTS_PER_RANGE;
    if (await isListening(createServer().unref(), first)) return first;
  }
}

async function isListening(server: Server, port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false)).listen(port, () => resolve(true));
  });
}
