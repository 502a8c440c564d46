/** Starts the service through its command line, as a user would, with its own data and port. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const MAIN = path.join(import.meta.dirname, '../server/src/main.ts');
/** A first start initialises a database, which takes its time on a busy machine. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;
const COMMAND_TIMEOUT_MS = 30_000;

/** The part of the output of `serve --json` that the tests need. */
export type StartFacts = {
  pid: number;
  port: number;
  channels: string;
  urls: { site: string; api: string };
  keys: { live: string; test: string } | null;
};

export type Server = {
  facts: StartFacts;
  /** Shuts it down, and fails unless it exits with code 0 and has logged no error. */
  stop(): Promise<void>;
  /** Kills it without a graceful shutdown. */
  kill(): Promise<void>;
};

/**
 * One server per test file, which can also be stopped and started again on the same data. `prepare`
 * runs after the start; it is not a hook of its own, because hooks of a file do not wait for each
 * other.
 */
export function useServer(prepare: () => Promise<void> = () => Promise.resolve()) {
  const home = mkdtempSync(path.join(tmpdir(), 'zhiber-acceptance-'));
  // Under root, PostgreSQL runs as another user and must be able to traverse this folder.
  chmodSync(home, 0o711);
  // The ring shares the compiled code between all servers.
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const env: NodeJS.ProcessEnv = {
    PATH,
    HOME,
    TMPDIR,
    NODE_COMPILE_CACHE,
    DATA_DIR: path.join(home, 'data'),
    // The machine may be busy with other tests.
    DATABASE_TIMEOUT_MS: '15000',
  };
  let server: Server | undefined;

  const start = async (): Promise<Server> => {
    env.PORT ??= String(await freePort());
    server = await startServer(home, env);
    return server;
  };
  const running = (): Server => {
    assert(server !== undefined, 'the server has not been started');
    return server;
  };

  before(async () => {
    await start();
    await prepare();
  });
  after(async () => {
    try {
      if (server !== undefined) await server.stop();
    } finally {
      endDatabase(home);
      rmSync(home, { recursive: true, force: true });
    }
  });

  return {
    running,
    start,
    /** Runs a `zhiber` command on the same data and returns its JSON output. */
    zhiber: (...args: string[]) => runCommand(home, env, args),
  };
}

async function startServer(cwd: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--json'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const deadline = Date.now() + START_TIMEOUT_MS;
  const first = await Promise.race([line, exited.then(() => undefined), timeout(START_TIMEOUT_MS)]);
  if (first === undefined) {
    child.kill('SIGKILL');
    assert.fail(`the server did not start: ${stderr}`);
  }
  const facts = JSON.parse(first[0]) as StartFacts;
  try {
    await waitForHealth(`${facts.urls.api}/health`, deadline, () => stderr);
  } catch (error) {
    // Nothing else would stop it, and its open pipes would keep the test file running.
    child.kill('SIGKILL');
    throw error;
  }

  return {
    facts,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const code = await waitForExit(child, exited);
      const error = stderr.split('\n').find((line) => /"level":[56]0/.test(line));
      assert.equal(error, undefined, `the server logged an error: ${error}`);
      assert.equal(code, 0, `the server ends cleanly: ${stderr}`);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function waitForExit(child: ChildProcess, exited: Promise<unknown>): Promise<number | null> {
  const hasEnded = await Promise.race([exited.then(() => true), timeout(STOP_TIMEOUT_MS)]);
  if (!hasEnded) child.kill('SIGKILL');
  assert(hasEnded, `the server did not stop within ${STOP_TIMEOUT_MS} ms`);
  return child.exitCode;
}

async function timeout(ms: number): Promise<undefined> {
  await pause(ms, undefined, { ref: false });
  return undefined;
}

async function waitForHealth(url: string, deadline: number, stderr: () => string): Promise<void> {
  for (;;) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    assert(Date.now() < deadline, `the server never became healthy: ${stderr()}`);
    await pause(50);
  }
}

async function runCommand(
  cwd: string,
  env: NodeJS.ProcessEnv,
  args: string[],
): Promise<Record<string, unknown>> {
  const command = [MAIN, ...args, '--json'];
  const options = { cwd, env, timeout: COMMAND_TIMEOUT_MS };
  const { stdout } = await promisify(execFile)(process.execPath, command, options);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, 'localhost');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

/** A test that fails between a kill and the next start leaves the database running. */
function endDatabase(home: string): void {
  for (const file of globSync('data/**/postmaster.pid', { cwd: home })) {
    const pid = Number(readFileSync(path.join(home, file), 'utf8').split('\n')[0]);
    try {
      if (pid > 1) process.kill(pid, 'SIGQUIT');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
