/** Runs programs of the six languages as a reader would, and compiles those that need it. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CodeForm } from '../../../web/src/snippets/snippets.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
/** Within the repository, so that a program may import its packages. Kept: Go compiles for long. */
const CACHE = path.join(ROOT, 'node_modules/.cache');
const RUN_TIMEOUT_MS = 60_000;
const COMPILE_TIMEOUT_MS = 300_000;

export type Program = { form: CodeForm; code: string };
export type Result = { code: number; output: string };
type Toolchains = { CSHARP_REFERENCES: string[]; findMissingToolchains(): string[] };

const toolchains = (await import(
  new URL('../../../scripts/toolchains.mjs', import.meta.url).href
)) as Toolchains;
const missing = toolchains.findMissingToolchains();

/** Whether this machine has what the language needs. */
export function canRun(form: CodeForm): boolean {
  return !missing.includes(form === 'php-streams' ? 'php' : form);
}

export type Runner = Awaited<ReturnType<typeof prepareRunner>>;

/** Writes and compiles the programs. Those of Go are compiled at once, because each costs a start. */
export async function prepareRunner(programs: readonly Program[]) {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, 'docs-'));
  const commands = new Map<string, string[]>();
  const runnable = programs.filter(({ form }) => canRun(form));
  for (const { form, code } of runnable) {
    const key = keyOf({ form, code });
    if (!commands.has(key)) commands.set(key, write(folder, { form, code }, commands.size));
  }
  // What does not compile fails the tests of its own language alone.
  const failures = new Map<CodeForm, unknown>();
  const compileAll = async (form: CodeForm, compiling: () => Promise<void>) => {
    if (!runnable.some((program) => program.form === form)) return;
    await compiling().catch((error: unknown) => failures.set(form, error));
  };
  await Promise.all([
    compileAll('go', () => compileGo(folder)),
    compileAll('csharp', () => compileCsharp(commands)),
  ]);

  const commandOf = (program: Program): [string, string[]] => {
    if (failures.has(program.form)) throw failures.get(program.form);
    const [command, ...args] = commands.get(keyOf(program)) ?? [];
    assert(command !== undefined, 'the program was not prepared');
    return [command, args];
  };
  const options = (env: NodeJS.ProcessEnv) => ({
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });

  return {
    async run(program: Program, env: NodeJS.ProcessEnv): Promise<Result> {
      const [command, args] = commandOf(program);
      return await runToEnd(command, args, { ...options(env), timeout: RUN_TIMEOUT_MS });
    },
    /** Starts a program that serves requests; for PHP, its own server with the script. */
    start(program: Program, env: NodeJS.ProcessEnv, port: number): ChildProcess {
      const [command, args] = commandOf(program);
      const served = program.form === 'php' ? ['-S', `localhost:${port}`, ...args] : args;
      return spawn(command, served, { ...options(env), stdio: ['ignore', 'pipe', 'pipe'] });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function keyOf({ form, code }: Program): string {
  return `${form}\n${code}`;
}

const FILES: Readonly<Record<CodeForm, string>> = {
  curl: 'call.sh',
  node: 'call.mjs',
  python: 'call.py',
  php: 'call.php',
  'php-streams': 'call.php',
  go: 'main.go',
  csharp: 'call.cs',
};

/** Writes a program to a folder of its own, and returns the command that runs it. */
function write(folder: string, { form, code }: Program, number: number): string[] {
  const own = path.join(folder, form === 'go' ? 'go' : form, `p${number}`);
  mkdirSync(own, { recursive: true });
  const file = path.join(own, FILES[form]);
  const isPhp = form === 'php' || form === 'php-streams';
  writeFileSync(file, `${isPhp && !code.startsWith('<?php') ? '<?php\n' : ''}${code.trimEnd()}\n`);
  switch (form) {
    case 'curl':
      return ['bash', '-eu', '-o', 'pipefail', file];
    case 'node':
      return [process.execPath, file];
    case 'python':
      return ['python3', file];
    case 'php':
    case 'php-streams':
      return ['php', file];
    case 'go':
      return [path.join(folder, 'go/bin', `p${number}`)];
    case 'csharp':
      return ['mono', file.replace(/cs$/, 'exe')];
  }
}

async function compileGo(folder: string): Promise<void> {
  const cwd = path.join(folder, 'go');
  writeFileSync(path.join(cwd, 'go.mod'), 'module examples\n\ngo 1.18\n');
  mkdirSync(path.join(cwd, 'bin'));
  const go = { GOCACHE: path.join(CACHE, 'go-build'), GOFLAGS: '-p=1', GOTOOLCHAIN: 'local' };
  const env = { ...process.env, ...go };
  await compile('go', ['build', '-o', 'bin/', './...'], { cwd, env });
  const { output } = await runToEnd('gofmt', ['-d', '.'], { cwd, env, timeout: RUN_TIMEOUT_MS });
  assert.equal(output.trim(), '', 'these are not formatted as gofmt does it');
}

async function compileCsharp(commands: ReadonlyMap<string, string[]>): Promise<void> {
  for (const [command, file = ''] of commands.values()) {
    if (command !== 'mono') continue;
    const { dir, name } = path.parse(file);
    await compile('mcs', [...toolchains.CSHARP_REFERENCES, `${name}.cs`], { cwd: dir });
  }
}

async function compile(
  command: string,
  args: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<void> {
  const { code, output } = await runToEnd(command, args, {
    ...options,
    timeout: COMPILE_TIMEOUT_MS,
  });
  assert.equal(code, 0, `${command}: ${output}`);
}

type RunOptions = { cwd: string; env?: NodeJS.ProcessEnv; timeout: number };

async function runToEnd(command: string, args: string[], options: RunOptions): Promise<Result> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, options);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = error as Result & Record<'stdout' | 'stderr', string>;
    // A program that was killed at its time limit has no exit code.
    return { code: typeof code === 'number' ? code : -1, output: stdout + stderr + String(error) };
  }
}
