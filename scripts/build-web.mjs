/**
 * Builds the pages when their sources have changed. Plain JavaScript, because the Node that runs
 * this may be an old one.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { root, withSetupLock } from './setup.mjs';

const web = path.join(root, 'web');
const built = path.join(web, 'dist');
const fresh = path.join(web, 'dist-fresh');
const stampFile = path.join(built, '.zhiber-build');

/** Everything that ends up in the pages; the lockfile stands for the packages. */
const SOURCES = ['web', 'contract/src', 'tsconfig.json', 'package-lock.json'];
const NOT_SOURCES = ['node_modules', 'dist', 'dist-fresh'];

export function isWebBuilt() {
  return readStamp() === sourcesKey();
}

/** Returns whether the pages are built now. A failed build keeps the last good one. */
export async function buildWeb(node) {
  let isDone = false;
  await withSetupLock(async () => {
    isDone = isWebBuilt() || (await build(node));
  });
  return isDone;
}

async function build(node) {
  const key = sourcesKey();
  console.error('Building the pages: vite build');
  const { code, output } = await runVite(node);
  if (code !== 0) {
    console.error(output.trimEnd());
    console.error('The pages could not be built; see the output of Vite above.');
    rmSync(fresh, { recursive: true, force: true });
    return false;
  }
  writeFileSync(path.join(fresh, '.zhiber-build'), `${key}\n`);
  keepPreviousFiles();
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
  return true;
}

/**
 * Copies the files of the build before this one, which pages that are open still ask for. Those
 * that it had kept itself are not in its manifest and end here.
 */
function keepPreviousFiles() {
  const manifest = readManifest();
  const names = Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]);
  for (const name of new Set(names.filter((file) => file.startsWith('assets/')))) {
    for (const form of [name, `${name}.br`, `${name}.gz`]) {
      const target = path.join(fresh, form);
      const source = path.join(built, form);
      if (existsSync(source) && !existsSync(target)) copyFileSync(source, target);
    }
  }
}

function readManifest() {
  try {
    return JSON.parse(readFileSync(path.join(built, '.vite/manifest.json'), 'utf8'));
  } catch {
    // Nothing has been built before.
    return {};
  }
}

function runVite(node) {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--outDir', fresh, '--logLevel', 'warn'];
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd: web, stdio: ['ignore', 'pipe', 'pipe'] });
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

/** Changes when something that ends up in the pages changes. `folder` is another one in tests. */
export function sourcesKey(folder = root) {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((name) => listFiles(folder, name))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(folder, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** In the same order on every machine, with forward slashes. */
function listFiles(folder, name) {
  if (!statSync(path.join(folder, name)).isDirectory()) return [name];
  return readdirSync(path.join(folder, name))
    .filter((entry) => !NOT_SOURCES.includes(entry) && !entry.endsWith('.test.ts'))
    .sort()
    .flatMap((entry) => listFiles(folder, `${name}/${entry}`));
}
