import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from './pace.ts';
import { createSubmitWindow } from './submit-window.ts';

const never = new AbortController().signal;
const usual = { signal: never, isUrgent: false };

test('nobody enters a full window, and who waits enters in order', async () => {
  const window = createSubmitWindow(1);
  const leave = (await window.take(usual)) ?? assert.fail();
  const entered: string[] = [];
  const enter = async (name: string, isUrgent: boolean) => {
    const place = await window.take({ signal: never, isUrgent });
    entered.push(name);
    place?.();
  };
  const all = [enter('first', false), enter('second', false), enter('urgent', true)];
  assert.equal(window.taken, 1);
  leave();
  leave();
  await Promise.all(all);
  assert.deepEqual(entered, ['urgent', 'first', 'second']);
  assert.equal(window.taken, 0);
});

test('who gives up leaves the line', async () => {
  const window = createSubmitWindow(1);
  const leave = (await window.take(usual)) ?? assert.fail();
  const patience = new AbortController();
  const impatient = window.take({ signal: patience.signal, isUrgent: false });
  const patient = window.take(usual);
  patience.abort();
  assert.equal(await impatient, undefined);
  leave();
  assert.notEqual(await patient, undefined);
});

test('a closed window lets in only the urgent', async () => {
  const window = createSubmitWindow(1);
  const leave = (await window.take(usual)) ?? assert.fail();
  const [waiting, urgent] = [window.take(usual), window.take({ signal: never, isUrgent: true })];
  window.close();
  assert.equal(await waiting, undefined);
  assert.equal(await window.take(usual), undefined);
  leave();
  assert.notEqual(await urgent, undefined);
});

test('a pace keeps its rate', async () => {
  const pace = createPace(100);
  const startedAt = performance.now();
  for (let i = 0; i < 21; i++) assert.equal(await pace.turn(never), true);
  assert.ok(performance.now() - startedAt >= 199);
});

test('who was too fast waits a second, even when already in line', async () => {
  const pace = createPace(10);
  await pace.turn(never);
  const startedAt = performance.now();
  const inLine = pace.turn(never);
  pace.slowDown();
  pace.slowDown();
  await inLine;
  const waitedMs = performance.now() - startedAt;
  assert.ok(waitedMs >= 999 && waitedMs < 1_900, `${waitedMs} ms`);
});

test('a turn is not waited for longer than one has time', async () => {
  const pace = createPace(1);
  await pace.turn(never);
  assert.equal(await pace.turn(AbortSignal.timeout(20)), false);
});
