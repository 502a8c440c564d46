/**
 * The entry point of every npm script: sets up, then runs the command under the Node of this
 * repository.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { buildWeb, isWebBuilt } from './build-web.mjs';
import { root, setUp } from './setup.mjs';

const [command, ...args] = process.argv.slice(2);

const commands = {
  start: {
    needs: 'run',
    opensPages: true,
    run: (node) => launch(node, ['server/src/main.ts', 'serve', ...args]),
  },
  build: { needs: 'build', run: async (node) => ((await buildWeb(node)) ? 0 : 1) },
  zhiber: { needs: 'run', run: (node) => launch(node, ['server/src/main.ts', ...args]) },
  bench: { needs: 'all', run: (node) => launch(node, ['bench/main.ts', ...args]) },
  schema: { needs: 'run', run: (node) => launch(node, ['server/schema/write-schema.ts', ...args]) },
  fixture: {
    needs: 'run',
    run: (node) => launch(node, ['server/test/start/upgrade/write-fixture.ts', ...args]),
  },
  'api-types': { needs: 'all', run: (node) => launch(node, ['sdk/node/write-api-types.ts']) },
  simulators: { needs: 'run', run: (node) => launch(node, ['simulators/main.ts', ...args]) },
  ha: {
    needs: 'run',
    opensPages: true,
    run: (node) => launch(node, ['deploy/ha/main.ts', ...args]),
  },
  screenshots: {
    needs: 'all',
    opensPages: true,
    run: (node) => launch(node, ['server/test/browser/screenshots.ts', ...args]),
  },
  check: { needs: 'all', run: withTools((rings) => rings.runCheck()) },
  format: { needs: 'all', run: withTools((rings) => rings.runFormat()) },
  test: { needs: 'all', opensPages: true, run: withTools((rings) => rings.runRings(args)) },
};

/**
 * The tools need Node 24 themselves: under an older one, this command is restarted with the right
 * one.
 */
function withTools(work) {
  return async (node) => {
    if (!isNewEnough()) return launch(node, ['scripts/run.mjs', command, ...args]);
    return work(await import('./rings.mjs'));
  };
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= 24;
}

/** The path of the binary, not `node`: a shell may have cached the path of the old one. */
function findNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const packed = path.join(root, `node_modules/node-${platform}-${process.arch}`, 'bin', file);
  if (existsSync(packed) && canRun(packed)) return packed;
  if (isNewEnough()) return process.execPath;
  throw new Error(`Zhiber needs Node 24; this is ${process.version}. Please install a newer one.`);
}

/** The packed Node is built against glibc: on Alpine it is installed and does not run. */
function canRun(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Runs a program of this repository and returns its exit code. The IPC channel carries no messages:
 * its closing tells the program that this launcher has ended, even when it was killed.
 */
function launch(node, [program, ...programArgs]) {
  const child = spawn(node, [path.join(root, program), ...programArgs], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group, so the child has it already.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
  stopWithParent(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      resolve(signal === null ? code : 128 + constants.signals[signal]);
    });
  });
}

/**
 * A killed npm forwards no signal, and a shell between npm and this process may survive. A change
 * of the parent, or of the parent's parent, is the only sign.
 */
function stopWithParent(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const ancestors = readAncestors();
  setInterval(() => {
    if (readAncestors() !== ancestors) child.kill('SIGTERM');
  }, 500).unref();
}

function readAncestors() {
  const parent = process.ppid;
  try {
    // The name in brackets may hold spaces; the state and the parent's pid follow it.
    const [, , grandparent] = readFileSync(`/proc/${parent}/stat`, 'utf8')
      .split(')')
      .at(-1)
      .split(' ');
    return `${parent} ${grandparent}`;
  } catch {
    return String(parent);
  }
}

async function main() {
  const chosen = commands[command];
  if (chosen === undefined) {
    throw new Error(`Usage: node scripts/run.mjs ${Object.keys(commands).join('|')}`);
  }
  // The packages that build the pages are not needed when the pages are built already.
  const needs =
    chosen.needs === 'run' && chosen.opensPages && !isWebBuilt() ? 'build' : chosen.needs;
  await setUp(needs);
  const node = findNode();
  // The API works without the cabinet: where it cannot be built, its pages say so.
  if (chosen.opensPages && !isWebBuilt()) await buildWeb(node);
  return chosen.run(node);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
