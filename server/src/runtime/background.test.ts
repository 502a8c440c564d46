import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { createBackground } from './background.ts';

/** Work that ends on demand; `begun` names what has started. */
function background(limits: { atOnceMax?: number; waitMsMax?: number; closeMsMax?: number } = {}) {
  const log: string[] = [];
  const begun: string[] = [];
  const finish = new Map<string, (error?: Error) => void>();
  const made = createBackground(pino({}, { write: (line: string) => log.push(line) }), {
    atOnceMax: 2,
    waitMsMax: 60_000,
    closeMsMax: 60_000,
    ...limits,
  });
  const run = (name: string) =>
    made.run(() => {
      begun.push(name);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      finish.set(name, (error) => (error === undefined ? resolve() : reject(error)));
      return promise;
    });
  return { ...made, run, begun, log, finish: (name: string, e?: Error) => finish.get(name)?.(e) };
}

test('only atOnceMax run at a time; the others follow in their order', async () => {
  const { run, begun, finish, stopAccepting } = background();
  for (const name of ['a', 'b', 'c', 'd']) run(name);
  await nextTurn();
  assert.deepEqual(begun, ['a', 'b']);
  finish('b');
  await nextTurn();
  assert.deepEqual(begun, ['a', 'b', 'c']);
  stopAccepting();
});

test('a failure is logged, and its permit goes to the next', async () => {
  const { run, begun, finish, log } = background({ atOnceMax: 1 });
  for (const name of ['a', 'b']) run(name);
  await nextTurn();
  finish('a', new Error('broken'));
  await nextTurn();
  assert.deepEqual(begun, ['a', 'b']);
  assert.match(log.join(), /broken/);
});

test('work that gets no permit in time is dropped', async () => {
  const { run, begun, finish, close } = background({ atOnceMax: 1, waitMsMax: 0 });
  for (const name of ['a', 'b']) run(name);
  await new Promise((resolve) => setTimeout(resolve, 5));
  finish('a');
  await close();
  assert.deepEqual(begun, ['a']);
});

test('closing waits for running work, and starts no other', async () => {
  const { run, begun, finish, close, log } = background({ atOnceMax: 1 });
  for (const name of ['under way', 'waiting']) run(name);
  await nextTurn();
  let isClosed = false;
  const closing = close().then(() => {
    isClosed = true;
  });
  run('too late');
  await nextTurn();
  assert(!isClosed);
  finish('under way');
  await closing;
  assert.deepEqual(begun, ['under way']);
  assert.deepEqual(log, []);
});

test('work whose permit is granted as the stop begins is not started', async () => {
  const { run, begun, stopAccepting, close } = background();
  run('a');
  stopAccepting();
  await close();
  assert.deepEqual(begun, []);
});

test('closing ends after its limit, and logs how many tasks did not finish', async () => {
  const { run, close, log } = background({ closeMsMax: 10 });
  run('for ever');
  await nextTurn();
  await close();
  assert.match(log.join(), /"count":1,.*did not finish/);
});
