import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

export type ExampleProcess = { url: string; stop(): Promise<void> };

export type ExampleCommand = {
  program: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Where it will listen; without it, the program prints its address as its first line. */
  url?: string;
};

const START_TIMEOUT_MS = 60_000;

export async function startExample(command: ExampleCommand): Promise<ExampleProcess> {
  const { program, args, cwd, env } = command;
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await exited;
  };
  const failed = exited.then(() => assert.fail(`the example ended: ${errors}`));
  failed.catch(() => undefined);
  try {
    const printed = async () => {
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      return String(line);
    };
    const url = await Promise.race([command.url ?? printed(), failed]);
    await Promise.race([waitUntilListening(url), failed]);
    return { url, stop };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

async function waitUntilListening(url: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await (await fetch(`${url}/no-such-page`)).arrayBuffer();
      return;
    } catch (error) {
      assert(performance.now() < deadline, `not listening: ${String(error)}`);
      await pause(50);
    }
  }
}
