/** Finds the programs that tests need, and on Debian installs those that are missing. */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

/** The first of these programs that is on the PATH. */
export function findOnPath(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return candidates.find(isExecutable);
}

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let installing = Promise.resolve();

/**
 * Installs packages as root on Debian, and does nothing elsewhere: whoever needs them looks for
 * their programs afterwards. Two callers take turns, because `apt-get update` waits for nobody.
 */
export function installOnDebian(packages, purpose) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return Promise.resolve();
  installing = installing.then(() => install(packages, purpose));
  return installing;
}

async function install(packages, purpose) {
  console.error(`Installing ${purpose}: apt-get install ${packages.join(' ')}`);
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    // Another apt-get may be running: wait for its lock instead of failing.
    const { code, stderr } = await runApt(['-o', 'DPkg::Lock::Timeout=300', ...step]);
    if (code !== 0) console.error(stderr.trimEnd());
  }
}

function runApt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return new Promise((resolve) => {
    const child = spawn('apt-get', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', (error) => resolve({ code: 1, stderr: error.message }));
    child.on('close', (code) => resolve({ code, stderr }));
  });
}
