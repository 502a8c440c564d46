/**
 * Builds the pages of the cabinet when something that they are made of has changed: plain JavaScript,
 * because the Node at hand may be an old one.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, withSetupLock } from './setup.mjs';

const cabinet = path.join(root, 'cabinet');
const built = path.join(cabinet, 'dist');
const fresh = path.join(cabinet, 'dist-fresh');
const stampFile = path.join(built, '.zhiber-build');

/** All that ends up in the pages; the lockfile stands for the packages. */
const SOURCES = [
  'cabinet',
  'contract/src',
  'server/src/http/pages/assets',
  'tsconfig.json',
  'package-lock.json',
];
const NOT_SOURCES = ['node_modules', 'dist', 'dist-fresh'];

export function isCabinetBuilt() {
  return readStamp() === sourcesKey();
}

/** Answers whether the cabinet is built now. A build that fails leaves the last good one. */
export async function buildCabinet(node) {
  let isDone = false;
  await withSetupLock(async () => {
    isDone = isCabinetBuilt() || (await build(node));
  });
  return isDone;
}

async function build(node) {
  const key = sourcesKey();
  console.error('Building the cabinet: vite build');
  const { code, output } = await runVite(node);
  if (code !== 0) {
    console.error(output.trimEnd());
    console.error('The cabinet could not be built; Vite says why above.');
    rmSync(fresh, { recursive: true, force: true });
    return false;
  }
  writeFileSync(path.join(fresh, '.zhiber-build'), `${key}\n`);
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
  return true;
}

function runVite(node) {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--outDir', fresh, '--logLevel', 'warn'];
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd: cabinet, stdio: ['ignore', 'pipe', 'pipe'] });
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

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function sourcesKey() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(listFiles)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** In one order on every machine, with slashes. */
function listFiles(name) {
  if (!statSync(path.join(root, name)).isDirectory()) return [name];
  return readdirSync(path.join(root, name))
    .filter((entry) => !NOT_SOURCES.includes(entry) && !entry.endsWith('.test.ts'))
    .sort()
    .flatMap((entry) => listFiles(`${name}/${entry}`));
}
