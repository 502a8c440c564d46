/** Runs calls of an installed client in a process of its language (`drivers/`). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { installClient, type Language } from './packages.ts';

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

/** How a client is run; PHP has two ways to the network. */
export const WAYS = {
  node: { language: 'node', file: 'node.mjs', flags: [] },
  python: { language: 'python', file: 'driver.py', flags: [] },
  'php with curl': { language: 'php', file: 'driver.php', flags: [] },
  'php with streams': {
    language: 'php',
    file: 'driver.php',
    flags: ['-d', 'disable_functions=curl_init'],
  },
} as const satisfies Record<string, { language: Language; file: string; flags: string[] }>;
export type Way = keyof typeof WAYS;

/** Undefined when the language cannot be run here. */
export async function startDriver(way: Way): Promise<Driver | undefined> {
  const { language, file, flags } = WAYS[way];
  const project = await installClient(language);
  if (project === undefined) return undefined;
  const { folder, program, env } = project;
  copyFileSync(path.join(import.meta.dirname, 'drivers', file), path.join(folder, file));
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
      return Promise.race([
        answered,
        exited.then(([code]) => assert.fail(`the driver of ${way} ended with ${code}`)),
      ]);
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}
