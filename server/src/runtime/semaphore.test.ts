import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSemaphore } from './semaphore.ts';

const never = new AbortController().signal;
const MINUTE_MS = 60_000;
const usual = { signal: never, isUrgent: false, waitMsMax: MINUTE_MS };

test('callers of a full semaphore wait in order, urgent ones first', async () => {
  const window = createSemaphore(1);
  const release = (await window.acquire(usual)) ?? assert.fail();
  const entered: string[] = [];
  const enter = async (name: string, isUrgent: boolean) => {
    const place = await window.acquire({ signal: never, isUrgent, waitMsMax: MINUTE_MS });
    entered.push(name);
    place?.();
  };
  const all = [enter('first', false), enter('second', false), enter('urgent', true)];
  assert.equal(window.taken, 1);
  release();
  release();
  await Promise.all(all);
  assert.deepEqual(entered, ['urgent', 'first', 'second']);
  assert.equal(window.taken, 0);
});

test('bulk callers go last, in their order', async () => {
  const window = createSemaphore(1);
  const release = (await window.acquire(usual)) ?? assert.fail();
  const entered: string[] = [];
  const enter = async (name: string, options: { isUrgent?: boolean; isBulk?: boolean }) => {
    const place = await window.acquire({ ...options, waitMsMax: MINUTE_MS });
    entered.push(name);
    place?.();
  };
  const all = [
    enter('bulk 1', { isBulk: true }),
    enter('first', {}),
    enter('bulk 2', { isBulk: true }),
    enter('second', {}),
    enter('urgent', { isUrgent: true }),
  ];
  release();
  await Promise.all(all);
  assert.deepEqual(entered, ['urgent', 'first', 'second', 'bulk 1', 'bulk 2']);
});

test('an aborted caller leaves the queue', async () => {
  const window = createSemaphore(1);
  const release = (await window.acquire(usual)) ?? assert.fail();
  const patience = new AbortController();
  const impatient = window.acquire({
    signal: patience.signal,
    isUrgent: false,
    waitMsMax: MINUTE_MS,
  });
  const patient = window.acquire(usual);
  patience.abort();
  assert.equal(await impatient, undefined);
  release();
  assert.notEqual(await patient, undefined);
});

test('a caller whose wait limit has passed leaves the queue', async () => {
  const window = createSemaphore(1);
  const release = (await window.acquire(usual)) ?? assert.fail();
  const impatient = window.acquire({ ...usual, waitMsMax: 5 });
  const patient = window.acquire(usual);
  assert.equal(await impatient, undefined);
  release();
  assert.notEqual(await patient, undefined);
  assert.equal(window.taken, 1);
});

test('a closed semaphore grants permits only to urgent callers', async () => {
  const window = createSemaphore(1);
  const release = (await window.acquire(usual)) ?? assert.fail();
  const [waiting, urgent] = [
    window.acquire(usual),
    window.acquire({ signal: never, isUrgent: true, waitMsMax: MINUTE_MS }),
  ];
  window.close();
  assert.equal(await waiting, undefined);
  assert.equal(await window.acquire(usual), undefined);
  release();
  assert.notEqual(await urgent, undefined);
});

test('a caller does not wait when enough others do', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  const waiting = [semaphore.acquire({ waitingMax: 2 }), semaphore.acquire({ waitingMax: 2 })];
  assert.equal(await semaphore.acquire({ waitingMax: 2 }), undefined);
  release?.();
  (await waiting[0])?.();
  assert.notEqual(await waiting[1], undefined);
});
