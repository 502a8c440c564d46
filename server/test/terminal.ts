import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { runCommand } from '../src/cli/run-command.ts';
import type { useService } from './harness.ts';
import { connectionOf } from './money/two-nodes.ts';
import { toDatabaseUrl } from './test-database.ts';

const MAIN = path.join(import.meta.dirname, '../src/main.ts');

type Settings = Readonly<Record<string, string>>;

/** The command line on the database of a running service. */
export function createTerminal(service: ReturnType<typeof useService>) {
  /** What a command is told of that database. */
  const environment = (settings: Settings = {}) => ({
    DATABASE_URL: toDatabaseUrl(connectionOf(service)),
    ...settings,
  });

  /** In this process. */
  async function run(t: TestContext, args: string | string[], settings: Settings = {}) {
    const out = t.mock.method(console, 'log', () => {});
    const err = t.mock.method(console, 'error', () => {});
    const argv = typeof args === 'string' ? args.split(' ') : args;
    const code = await runCommand(argv, environment(settings));
    const textOf = (calls: readonly { arguments: unknown[] }[]) =>
      calls.map((call) => String(call.arguments[0])).join('\n');
    const printed = { code, out: textOf(out.mock.calls), err: textOf(err.mock.calls) };
    out.mock.restore();
    err.mock.restore();
    return printed;
  }

  async function runJson(t: TestContext, args: string | string[], settings: Settings = {}) {
    const argv = typeof args === 'string' ? args.split(' ') : args;
    const { code, out } = await run(t, [...argv, '--json'], settings);
    return { code, json: JSON.parse(out) as Record<string, unknown> };
  }

  /** As a process that runs until the test ends; `next` waits for its next line. */
  function start(t: TestContext, args: string, settings: Settings = {}) {
    const child = spawn(process.execPath, [MAIN, ...args.split(' ')], {
      env: { PATH: process.env.PATH, ...environment(settings) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { next: async () => String((await lines.next()).value) };
  }

  return { environment, run, runJson, start };
}
