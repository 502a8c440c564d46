/**
 * Installs what a command needs before it runs. Plain JavaScript, because nothing is installed yet
 * and the Node that runs this may be an old one.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.zhiber-setup.json');
const lockDir = path.join(root, '.setup-lock');
const pidFile = path.join(lockDir, 'pid');

/** A cold install on a slow connection takes a few minutes. */
const LOCK_WAIT_MS = 15 * 60_000;
/** The pid is written a moment after the folder is created; this is far longer. */
const LOCK_WITHOUT_PID_MS = 5_000;

/** Each set includes the one before it: packages to run the server, to build its pages, the tools. */
const SETS = ['run', 'build', 'all'];
/** The workspaces whose packages the server runs on. */
const RUNNING = ['contract', 'server', 'simulators'];

/**
 * Makes sure that node_modules contains the needed set of packages. Reports what it does on stderr,
 * and prints nothing when there is nothing to do.
 */
export async function setUp(needed) {
  if (isInstalled(needed)) return;
  await withSetupLock(async () => {
    if (isInstalled(needed)) return;
    // An install is never reduced, because its tools may still be needed.
    const set = larger(needed, readStamp()?.set ?? 'run');
    await install(set);
    writeStamp(set);
  });
}

function larger(a, b) {
  return SETS[Math.max(SETS.indexOf(a), SETS.indexOf(b))];
}

function isInstalled(needed) {
  const stamp = readStamp();
  if (stamp?.key === lockfileKey()) return larger(stamp.set, needed) === stamp.set;
  // npm may have been run by hand; its record of the tree shows what is installed.
  const set = findSetInstalledByHand();
  if (set === undefined || larger(set, needed) !== set) return false;
  writeStamp(set);
  return true;
}

function findSetInstalledByHand() {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages ?? {};
  const present = readJson(path.join(modules, '.package-lock.json'))?.packages;
  if (present === undefined) return undefined;
  const absent = Object.entries(wanted).filter(([place, entry]) => {
    if (!place.startsWith('node_modules/') || entry.optional || entry.link) return false;
    return present[place]?.version !== entry.version;
  });
  if (absent.length === 0) return 'all';
  if (absent.every(([, entry]) => entry.dev)) return 'build';
  const running = collectPackages(wanted, ['', ...RUNNING]);
  return absent.some(([place]) => running.has(place)) ? undefined : 'run';
}

/** The paths of the packages that some workspaces need, including all dependencies of those. */
function collectPackages(packages, workspaces) {
  const found = new Set();
  const follow = (place) => {
    if (found.has(place)) return;
    found.add(place);
    const { dependencies = {}, optionalDependencies = {}, link, resolved } = packages[place];
    if (link) return follow(resolved);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = findPackage(packages, place, name);
      if (next !== undefined) follow(next);
    }
  };
  for (const workspace of workspaces) follow(workspace);
  return found;
}

/**
 * Resolves a package as Node does: beside the package that imports it, then further and further up.
 */
function findPackage(packages, place, name) {
  const folders = place === '' ? [] : place.split('/');
  for (let depth = folders.length; depth >= 0; depth--) {
    const candidate = [...folders.slice(0, depth), 'node_modules', name].join('/');
    if (packages[candidate] !== undefined) return candidate;
  }
  return undefined;
}

function readStamp() {
  return readJson(stampFile);
}

function writeStamp(set) {
  writeFileSync(stampFile, `${JSON.stringify({ key: lockfileKey(), set })}\n`);
}

/**
 * Includes the platform, because a copied node_modules contains the binaries of another machine.
 */
function lockfileKey() {
  const lockfile = readFileSync(path.join(root, 'package-lock.json'));
  return createHash('sha256')
    .update(lockfile)
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const PURPOSES = {
  run: 'what running needs',
  build: 'what running and building the pages need',
  all: 'everything, tools included',
};
const FLAGS = {
  run: ['--omit=dev', '--include-workspace-root', ...RUNNING.map((name) => `--workspace=${name}`)],
  build: ['--omit=dev'],
  all: ['--include=dev'],
};

async function install(set) {
  console.error(`Installing packages (${PURPOSES[set]}): npm ci`);
  // An explicit log level, because under `npm run --silent` a failing npm would print nothing.
  const flags = ['ci', '--loglevel=error', ...FLAGS[set]];
  const { code, output } = await runNpm(flags);
  if (code === 0) return;
  console.error(output.trimEnd());
  throw new Error('The packages could not be installed; see the output of npm above.');
}

function runNpm(flags) {
  const npmScript = process.env.npm_execpath;
  const viaNode = npmScript !== undefined && /npm-cli\.c?js$/.test(npmScript);
  const [command, args] = viaNode ? [process.execPath, [npmScript, ...flags]] : ['npm', flags];
  const shell = !viaNode && process.platform === 'win32';
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell });
    let output = '';
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Runs `work` under a lock that all commands in this checkout share. */
export async function withSetupLock(work) {
  await takeSetupLock();
  try {
    await work();
  } finally {
    rmSync(lockDir, { recursive: true, force: true });
  }
}

async function takeSetupLock() {
  const deadline = Date.now() + LOCK_WAIT_MS;
  let hasReported = false;
  while (!tryMakeLock()) {
    removeStaleLock();
    if (Date.now() > deadline) {
      throw new Error(`Another set-up is still running. If there is none, remove ${lockDir}.`);
    }
    if (!hasReported) console.error('Waiting for another set-up to finish');
    hasReported = true;
    await pause(200);
  }
}

function tryMakeLock() {
  try {
    mkdirSync(lockDir);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(pidFile, String(process.pid));
  return true;
}

/**
 * Removes the lock of a process that died. It is renamed first, and checked again after the rename,
 * so that two waiting processes cannot remove each other's fresh lock.
 */
function removeStaleLock() {
  if (!isStale(lockDir)) return;
  const aside = `${lockDir}.${process.pid}`;
  try {
    renameSync(lockDir, aside);
    if (isStale(aside)) rmSync(aside, { recursive: true, force: true });
    else renameSync(aside, lockDir);
  } catch (error) {
    if (!['ENOENT', 'EEXIST', 'ENOTEMPTY'].includes(error.code)) throw error;
  }
}

function isStale(dir) {
  try {
    const pid = Number(readFileSync(path.join(dir, 'pid'), 'utf8'));
    if (pid > 0) return !isAlive(pid);
  } catch {
    // No pid yet: the age of the folder decides.
  }
  try {
    return Date.now() - statSync(dir).mtimeMs > LOCK_WITHOUT_PID_MS;
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
