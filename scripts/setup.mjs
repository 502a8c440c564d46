/**
 * Installs what a command needs before it runs: plain JavaScript, because at this moment nothing is
 * installed yet and the Node at hand may be an old one.
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

/** A cold install on a slow line takes a few minutes; past this somebody has to look. */
const LOCK_WAIT_MS = 15 * 60_000;
/** Between making the folder and writing the pid into it there is a moment; this is far longer. */
const LOCK_WITHOUT_PID_MS = 5_000;

/**
 * Makes sure that node_modules holds what is needed: 'run' is what the server needs, 'all' adds the
 * tools of development. Says what it does on stderr, and nothing when there is nothing to do.
 */
export async function setUp(needed) {
  if (isInstalled(needed)) return;
  await withSetupLock(async () => {
    if (isInstalled(needed)) return;
    // A full install is never reduced: the person who made it still wants its tools.
    const set = needed === 'all' || readStamp()?.set === 'all' ? 'all' : 'run';
    await install(set);
    writeStamp(set);
  });
}

function isInstalled(needed) {
  const stamp = readStamp();
  if (stamp?.key === lockfileKey()) return stamp.set === 'all' || needed === 'run';
  // Somebody may have run npm by hand; its own record of the tree says whether that was enough.
  const set = installedByHand();
  if (set === undefined || (set === 'run' && needed === 'all')) return false;
  writeStamp(set);
  return true;
}

function installedByHand() {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages ?? {};
  const present = readJson(path.join(modules, '.package-lock.json'))?.packages;
  if (present === undefined) return undefined;
  const absent = Object.entries(wanted).filter(([place, entry]) => {
    if (!place.startsWith('node_modules/') || entry.optional || entry.link) return false;
    return present[place]?.version !== entry.version;
  });
  if (absent.length === 0) return 'all';
  return absent.every(([, entry]) => entry.dev) ? 'run' : undefined;
}

function readStamp() {
  return readJson(stampFile);
}

function writeStamp(set) {
  writeFileSync(stampFile, `${JSON.stringify({ key: lockfileKey(), set })}\n`);
}

/** The platform is part of it, because a copied node_modules carries another machine's binaries. */
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

async function install(set) {
  const purpose = set === 'all' ? 'everything, tools included' : 'what running needs';
  console.error(`Installing packages (${purpose}): npm ci`);
  // The log level is given, because under `npm run --silent` a failing npm would say nothing.
  const flags = ['ci', '--loglevel=error', set === 'all' ? '--include=dev' : '--omit=dev'];
  const { code, output } = await runNpm(flags);
  if (code === 0) return;
  console.error(output.trimEnd());
  throw new Error('The packages could not be installed; npm says why above.');
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

/** One at a time, among all the commands that were started in this folder. */
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
  let hasSaid = false;
  while (!tryMakeLock()) {
    removeStaleLock();
    if (Date.now() > deadline) {
      throw new Error(`Another set-up has not ended. If none is running, remove ${lockDir}.`);
    }
    if (!hasSaid) console.error('Waiting for another set-up to end');
    hasSaid = true;
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
 * Takes away the lock of a process that died. It is moved before it is removed, and looked at again
 * after the move, so that two waiting processes cannot remove each other's fresh lock.
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
