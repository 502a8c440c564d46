/**
 * `npm run ha` starts the example and stays until Ctrl-C; `npm run ha -- stop` stops it from elsewhere.
 * Everything is in one folder, ./data/ha, and goes on from there at the next start.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitForShutdown } from '../../server/src/cli/wait-for-shutdown.ts';
import { type Example, openExample } from './example.ts';
import { findPrograms } from './needed-programs.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'data/ha');
const PID_FILE = path.join(FOLDER, 'pid');

async function start(): Promise<number> {
  const { programs, missing } = findPrograms();
  if (missing.length > 0) {
    console.error(`Not installed: ${missing.join(', ')}.`);
    console.error('On Debian: apt-get install patroni etcd-server haproxy postgresql');
    return 1;
  }
  if (findRunning() !== undefined) {
    console.error('It runs already. To stop it: npm run ha -- stop');
    return 1;
  }
  const shutdown = waitForShutdown();
  console.log('Starting two PostgreSQL servers, HAProxy and three nodes: some twenty seconds.');
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(PID_FILE, String(process.pid));
  try {
    const example = await openExample({
      folder: FOLDER,
      programs,
      programOf: () => ({ file: path.join(ROOT, 'server/src/main.ts') }),
    });
    console.log(await describe(example));
    await shutdown;
    console.log('Stopping.');
    await example.stop();
  } finally {
    rmSync(PID_FILE);
  }
  return 0;
}

async function describe({ url, databaseUrl, nodes, members, findPrimary, places }: Example) {
  const primary = await findPrimary();
  return [
    '',
    `  The service   ${url}/try, by HAProxy`,
    `  The database  ${databaseUrl}, by HAProxy`,
    ...nodes.map(
      ({ name, port, opsPort, process: { pid } = {} }) =>
        `  ${name}        port ${port}, metrics on ${opsPort}, pid ${pid}`,
    ),
    ...members.map(
      (member) =>
        `  ${member.name}    port ${member.port}, Patroni on ${member.restPort}, ` +
        `pid ${member.process.pid}${member === primary ? ', the primary' : ''}`,
    ),
    `  etcd          port ${places.etcd.clientPort}`,
    `  Data and logs ${FOLDER}`,
    '',
    '  What is killed is started again. Ctrl-C stops all of it.',
  ].join('\n');
}

async function stop(): Promise<number> {
  const pid = findRunning();
  if (pid === undefined) {
    console.log('It does not run.');
    return 0;
  }
  process.kill(pid, 'SIGTERM');
  while (findRunning() !== undefined) await pause(200);
  console.log('Stopped.');
  return 0;
}

function findRunning(): number | undefined {
  if (!existsSync(PID_FILE)) return undefined;
  const pid = Number(readFileSync(PID_FILE, 'utf8'));
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

process.exitCode = process.argv[2] === 'stop' ? await stop() : await start();
// Its signal handlers would keep the process.
process.exit();
