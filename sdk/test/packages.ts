/**
 * Packs each client as it is published, and installs it into an empty project outside the
 * repository. Once per process, because several test files use them.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createTemporaryFolder } from '../../server/test/temporary-folder.ts';
import { addToSummary } from '../../server/test/test-summary.ts';

export type Language = 'node' | 'python' | 'php';

/** A project with the client installed, and the program that runs its code. */
export type Project = { folder: string; program: string; env: NodeJS.ProcessEnv };

const SDK = path.join(import.meta.dirname, '..');
const run = promisify(execFile);

const script = new URL('../../scripts/debian-packages.mjs', import.meta.url).href;
type FindOnPath = (names: string[]) => string | undefined;
const { findOnPath } = (await import(script)) as { findOnPath: FindOnPath };

export const findProgram = (name: string): string | undefined => findOnPath([name]);

let home: string | undefined;
const projects = new Map<Language, Promise<Project | undefined>>();

/** The project of a language; undefined, and said in the summary, when it cannot be run here. */
export function installClient(language: Language): Promise<Project | undefined> {
  const known = projects.get(language);
  if (known !== undefined) return known;
  const created = INSTALLERS[language](createProjectFolder(language));
  projects.set(language, created);
  return created;
}

/** A folder beside the projects, for copies of examples. It is removed with the process. */
export function createProjectFolder(name: string): string {
  if (home === undefined) {
    const folder = createTemporaryFolder('clients');
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    home = folder;
  }
  const folder = path.join(home, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

const INSTALLERS: Record<Language, (folder: string) => Promise<Project | undefined>> = {
  async node(folder) {
    const env = {
      ...process.env,
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
    };
    const npm = (args: string[], cwd: string) => run('npm', args, { cwd, env });
    // Packed elsewhere, because another process may be packing at the same time.
    const source = path.join(folder, 'source');
    mkdirSync(source);
    for (const name of ['package.json', 'README.md', 'LICENSE', 'src']) {
      cpSync(path.join(SDK, 'node', name), path.join(source, name), { recursive: true });
    }
    await run(process.execPath, [path.join(SDK, 'node/build.mjs'), path.join(source, 'dist')]);
    await npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], source);
    rmSync(source, { recursive: true });
    const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    assert(archive !== undefined, 'npm packed nothing');
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const quiet = ['--silent', '--offline', '--no-audit', '--no-fund'];
    await npm(['install', ...quiet, `./${archive}`], folder);
    return { folder, program: process.execPath, env: process.env };
  },

  async python(folder) {
    const program = findProgram('python3');
    if (program === undefined || !hasPip(program)) return reportMissing('python3 with pip');
    const build = 'import build_backend as b; b.build_wheel(".."); b.build_sdist("..")';
    // A copy: an import would leave compiled files in the repository.
    const source = path.join(folder, 'source');
    cpSync(path.join(SDK, 'python'), source, { recursive: true });
    await run(program, ['-c', build.replaceAll('..', folder)], { cwd: source });
    rmSync(source, { recursive: true });
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    assert(wheel !== undefined, 'no wheel was built');
    const flags = ['--quiet', '--no-index', '--no-deps', '--disable-pip-version-check'];
    const target = path.join(folder, 'packages');
    const install = [
      '-m',
      'pip',
      'install',
      ...flags,
      '--target',
      target,
      path.join(folder, wheel),
    ];
    await run(program, install);
    return { folder, program, env: { ...process.env, PYTHONPATH: target } };
  },

  async php(folder) {
    const program = findProgram('php');
    if (program === undefined) return reportMissing('php');
    installPhpClient(folder);
    return { folder, program, env: process.env };
  },
};

/** As Composer does: the package in `vendor`, and an autoloader that loads its files. */
export function installPhpClient(folder: string): void {
  const place = 'vendor/zhiber/zhiber';
  const target = path.join(folder, place);
  cpSync(path.join(SDK, 'php'), target, { recursive: true });
  const { autoload } = JSON.parse(readFileSync(path.join(target, 'composer.json'), 'utf8')) as {
    autoload: { files: string[] };
  };
  const lines = autoload.files.map((file) => `require __DIR__ . '/zhiber/zhiber/${file}';`);
  writeFileSync(path.join(folder, 'vendor/autoload.php'), ['<?php', ...lines, ''].join('\n'));
}

function hasPip(program: string): boolean {
  return spawnSync(program, ['-m', 'pip', '--version']).status === 0;
}

function reportMissing(what: string): undefined {
  addToSummary(`NOT RUN: the client and the examples that need ${what}, which is not installed`);
  return undefined;
}
