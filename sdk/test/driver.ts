/** Runs calls of an installed client in a process of its language (`drivers/`). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { installClient, type Language, type Project } from './packages.ts';

export type Task = {
  client?: Record<string, unknown>;
  operation?: string;
  request?: Record<string, unknown> | undefined;
  webhook?: object;
};
export type Outcome = {
  result?: Record<string, unknown>;
  error?: Record<string, unknown> & { class: string };
};

export type Driver = {
  run(task: Task): Promise<Outcome>;
  close(): Promise<void>;
};

/** How a client is run. PHP has two ways to the network, and does one thing at a time. */
type Program = { language: Language; file: string; flags: string[]; processes: number };
const PHP = { language: 'php', file: 'driver.php', processes: 6 } as const;
export const WAYS = {
  node: { language: 'node', file: 'node.mjs', flags: [], processes: 1 },
  python: { language: 'python', file: 'driver.py', flags: [], processes: 1 },
  'php with curl': { ...PHP, flags: [] },
  'php with streams': { ...PHP, flags: ['-d', 'disable_functions=curl_init'] },
} satisfies Record<string, Program>;
export type Way = keyof typeof WAYS;

/** Undefined when the language cannot be run here. */
export async function startDriver(way: Way): Promise<Driver | undefined> {
  const program: Program = WAYS[way];
  const project = await installClient(program.language);
  if (project === undefined) return undefined;
  const { file } = program;
  copyFileSync(path.join(import.meta.dirname, 'drivers', file), path.join(project.folder, file));
  const drivers = Array.from({ length: program.processes }, () => startProcess(program, project));
  let tasks = 0;
  return {
    run: (task) => (drivers[tasks++ % drivers.length] as Driver).run(task),
    close: async () => {
      await Promise.all(drivers.map((driver) => driver.close()));
    },
  };
}

function startProcess({ file, flags }: Program, { folder, program, env }: Project): Driver {
  const child = spawn(program, [...flags, file], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const waiting = new Map<number, (outcome: Outcome) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, ...outcome } = JSON.parse(line) as Outcome & { id: number };
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  });
  let tasks = 0;
  return {
    run(task) {
      const id = ++tasks;
      child.stdin.write(`${JSON.stringify({ id, ...task })}\n`);
      const answered = new Promise<Outcome>((resolve) => waiting.set(id, resolve));
      const ended = exited.then(([code]) => assert.fail(`${file} ended with ${code}`));
      return Promise.race([answered, ended]);
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}
