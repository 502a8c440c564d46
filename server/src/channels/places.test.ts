import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlaces } from './places.ts';

const never = new AbortController().signal;
const MINUTE_MS = 60_000;
const usual = { signal: never, isUrgent: false, waitMsMax: MINUTE_MS };

test('nobody enters a full window, and who waits enters in order', async () => {
  const window = createPlaces(1);
  const leave = (await window.take(usual)) ?? assert.fail();
  const entered: string[] = [];
  const enter = async (name: string, isUrgent: boolean) => {
    const place = await window.take({ signal: never, isUrgent, waitMsMax: MINUTE_MS });
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
  const window = createPlaces(1);
  const leave = (await window.take(usual)) ?? assert.fail();
  const patience = new AbortController();
  const impatient = window.take({ signal: patience.signal, isUrgent: false, waitMsMax: MINUTE_MS });
  const patient = window.take(usual);
  patience.abort();
  assert.equal(await impatient, undefined);
  leave();
  assert.notEqual(await patient, undefined);
});

test('who has waited long enough leaves the line as well', async () => {
  const window = createPlaces(1);
  const leave = (await window.take(usual)) ?? assert.fail();
  const impatient = window.take({ ...usual, waitMsMax: 5 });
  const patient = window.take(usual);
  assert.equal(await impatient, undefined);
  leave();
  assert.notEqual(await patient, undefined);
  assert.equal(window.taken, 1);
});

test('a closed window lets in only the urgent', async () => {
  const window = createPlaces(1);
  const leave = (await window.take(usual)) ?? assert.fail();
  const [waiting, urgent] = [
    window.take(usual),
    window.take({ signal: never, isUrgent: true, waitMsMax: MINUTE_MS }),
  ];
  window.close();
  assert.equal(await waiting, undefined);
  assert.equal(await window.take(usual), undefined);
  leave();
  assert.notEqual(await urgent, undefined);
});
