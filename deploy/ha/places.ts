/** What an example keeps from one start to the next: its ports and its secrets. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

export type Places = {
  password: string;
  secret: string;
  port: number;
  databasePort: number;
  etcd: { clientPort: number; peerPort: number };
  nodes: { port: number; opsPort: number }[];
  members: { restPort: number; port: number }[];
};

const NODES = 3;
const MEMBERS = 2;
/** Below the ports that the system gives to outgoing connections. */
const FIRST_PORT = 12_000;
const LAST_PORT = 19_000;

export async function readOrMakePlaces(folder: string): Promise<Places> {
  const file = path.join(folder, 'places.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Places;
  const places = await makePlaces();
  writeFileSync(file, `${JSON.stringify(places, null, 2)}\n`, { mode: 0o600 });
  return places;
}

async function makePlaces(): Promise<Places> {
  const ports = await findFreePorts(4 + 2 * NODES + 2 * MEMBERS);
  const next = () => ports.shift() as number;
  return {
    password: randomBytes(16).toString('hex'),
    secret: randomBytes(32).toString('hex'),
    port: next(),
    databasePort: next(),
    etcd: { clientPort: next(), peerPort: next() },
    nodes: Array.from({ length: NODES }, () => ({ port: next(), opsPort: next() })),
    members: Array.from({ length: MEMBERS }, () => ({ restPort: next(), port: next() })),
  };
}

/** Ports in a row, beginning at a random place, because several examples may start at once. */
async function findFreePorts(count: number): Promise<number[]> {
  const first = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
  const found: number[] = [];
  for (let port = first; found.length < count; port++) {
    if (await isFree(port)) found.push(port);
  }
  return found;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isListening) return false;
  server.close();
  await once(server, 'close');
  return true;
}
