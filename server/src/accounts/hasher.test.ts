import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import path from 'node:path';
import { afterEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import { createHasher } from './hasher.ts';

const CHEAP = { N: 2 ** 10, r: 8, p: 1 };
const DEAR = { N: 2 ** 17, r: 8, p: 1 };
const SALT = Buffer.from('salt of the test');
const options = { skip: !existsSync('/proc/self') && 'looks at the processes of Linux' };

afterEach(async () => {
  for (const child of childrenOf(process.pid)) {
    process.kill(child, 'SIGKILL');
    await waitForExit(child);
  }
});

/** The hash process, when a replaced one has exited. */
async function hashProcess(): Promise<number> {
  await waitUntil(() => childrenOf(process.pid).length === 1);
  return childrenOf(process.pid)[0] as number;
}

function childrenOf(pid: number): number[] {
  return globSync(`/proc/${pid}/task/*/children`)
    .flatMap((file) => readFileSync(file, 'utf8').split(' '))
    .filter((text) => text !== '')
    .map(Number);
}

/** The policies of sched(7). */
const SCHED_OTHER = '0';
const SCHED_IDLE = '5';

function schedulingPolicy(statFile: string): string | undefined {
  // The name of the process, in parentheses, may have spaces.
  const [, afterName = ''] = readFileSync(statFile, 'utf8').split(') ');
  return afterName.split(' ')[38];
}

async function waitForExit(pid: number): Promise<void> {
  await waitUntil(() => !existsSync(`/proc/${pid}`));
}

async function waitUntil(isDone: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!isDone()) {
    assert(performance.now() < deadline, `still not: ${isDone}`);
    await pause(20);
  }
}

test('hashes are made by a process with a lower priority than the server', options, async () => {
  const { derive } = createHasher();
  const key = await derive('верный конь', SALT, CHEAP);
  assert.deepEqual(await derive('верный конь', SALT, CHEAP), key);
  assert.notDeepEqual(await derive('верный кот', SALT, CHEAP), key);
  const child = await hashProcess();
  assert(getPriority(child) > getPriority());
});

test('hashes run only while the machine has nothing else to do', options, async () => {
  const { derive } = createHasher({ patienceMs: 60_000 });
  // While other tests keep the machine busy, this takes long: it is not waited for.
  const lost = assert.rejects(derive('верный конь', SALT, DEAR));
  const child = await hashProcess();
  const policies = () => globSync(`/proc/${child}/task/*/stat`).map(schedulingPolicy);
  await waitUntil(() => policies().every((policy) => policy === SCHED_IDLE));
  assert(policies().length > 1);
  process.kill(child, 'SIGKILL');
  await lost;
});

test('a machine that is never idle hashes with a low priority instead', options, async () => {
  const { derive } = createHasher({ patienceMs: 200 });
  const hashing = derive('верный конь', SALT, CHEAP);
  const [starved = 0] = childrenOf(process.pid);
  process.kill(starved, 'SIGSTOP');
  const key = await hashing;
  await waitForExit(starved);
  const child = await hashProcess();
  assert.equal(schedulingPolicy(`/proc/${child}/stat`), SCHED_OTHER);
  assert(getPriority(child) > getPriority());
  // The next password does not wait first.
  assert.deepEqual(await derive('верный конь', SALT, CHEAP), key);
  assert.equal(await hashProcess(), child);
});

test(
  'a killed process fails its pending hashes, and the next password starts another',
  options,
  async () => {
    const { derive } = createHasher();
    const key = await derive('верный конь', SALT, CHEAP);
    const child = await hashProcess();
    const lost = [derive('верный конь', SALT, DEAR), derive('верный кот', SALT, DEAR)];
    process.kill(child, 'SIGKILL');
    for (const { status, ...end } of await Promise.allSettled(lost)) {
      assert.equal(status, 'rejected');
      const { reason } = end as { reason: unknown };
      assert(reason instanceof Problem && reason.code === 'service_unavailable');
    }
    assert.deepEqual(await derive('верный конь', SALT, CHEAP), key);
  },
);

test('the process ends with the server, even with one that is killed', options, async () => {
  const hasher = path.join(import.meta.dirname, 'hasher.ts');
  const program = `import { createHasher } from ${JSON.stringify(hasher)};
    await createHasher().derive('верный конь', Buffer.from('salt'), ${JSON.stringify(CHEAP)});
    setInterval(() => undefined, 1_000);
    console.log('hashed');`;
  const server = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  await once(server.stdout, 'data');
  const [child = 0] = childrenOf(server.pid as number);
  assert(existsSync(`/proc/${child}`));
  server.kill('SIGKILL');
  await waitForExit(child);
});
