/** Finds the programs of other languages for the tests, and on Debian installs what is missing. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The path of a program, or undefined when there is none and it cannot be installed. `isUsable` is
 * asked about a found one, for parts that are packages of their own.
 */
export function findTool(name, debianPackages, isUsable = () => true) {
  const found = findOnPath(name);
  if (found !== undefined && isUsable(found)) return found;
  installOnDebian(name, debianPackages);
  return findOnPath(name) ?? found;
}

function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return folders.map((folder) => path.join(folder, file)).find(isExecutable);
}

function installOnDebian(name, packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.error(`Installing ${name} for the tests: apt-get install ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another apt-get may be running: wait for its lock instead of failing.
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { status, stderr } = spawnSync('apt-get', [...wait, ...step], { env, encoding: 'utf8' });
    if (status !== 0) console.error(stderr.trimEnd());
  }
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
