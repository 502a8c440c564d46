/**
 * The tools that run the code examples of the documentation, and the clients. On Debian the missing are
 * installed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installOnDebian } from './debian-packages.mjs';

/** The libraries of Mono that the examples in C# use. */
export const CSHARP_REFERENCES = ['-r:System.Net.Http.dll', '-r:System.Runtime.Serialization.dll'];

/** What has to succeed for a language to run, and the packages of Debian that bring it. */
const TOOLCHAINS = {
  curl: {
    probes: [
      ['curl', '--version'],
      ['openssl', 'version'],
    ],
    packages: ['curl', 'openssl'],
  },
  python: { probes: [['python3', '--version']], packages: ['python3'] },
  pip: { probes: [['python3', '-m', 'pip', '--version']], packages: ['python3-pip'] },
  php: {
    probes: [['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);']],
    packages: ['php-cli', 'php-curl'],
  },
  composer: { probes: [['composer', '--version', '--no-interaction']], packages: ['composer'] },
  go: { probes: [['go', 'version']], packages: ['golang-go'] },
  csharp: {
    probes: [
      ['mono', '--version'],
      ['mcs', ...CSHARP_REFERENCES, '-target:library', 'empty.cs'],
    ],
    packages: [
      'mono-mcs',
      'libmono-system-net-http4.0-cil',
      'libmono-system-runtime-serialization4.0-cil',
    ],
  },
};

/** The languages that cannot run on this machine. */
export function findMissingToolchains() {
  const cwd = mkdtempSync(path.join(tmpdir(), 'zhiber-toolchains-'));
  writeFileSync(path.join(cwd, 'empty.cs'), '');
  const succeeds = ([program, ...args]) => spawnSync(program, args, { cwd }).status === 0;
  try {
    return Object.keys(TOOLCHAINS).filter((name) => !TOOLCHAINS[name].probes.every(succeeds));
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** Never fails: the tests report a language whose tools are still missing as not run. */
export async function installToolchains() {
  const packages = findMissingToolchains().flatMap((name) => TOOLCHAINS[name].packages);
  if (packages.length > 0) await installOnDebian(packages, 'what runs the code of other languages');
}
