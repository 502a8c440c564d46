import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { DeadlineExceeded, withDeadline, within } from './deadline.ts';

const never = () => new Promise<never>(() => undefined);

test('work in time gives its result and leaves no timer', async () => {
  assert.equal(await withDeadline({ limitMs: 60_000 }, async () => 'done'), 'done');
  assert.ok(!process.getActiveResourcesInfo().includes('Timeout'));
});

test('work that ignores the signal is given up', async () => {
  await assert.rejects(withDeadline({ limitMs: 1 }, never), DeadlineExceeded);
});

test('work that heeds the signal may still return its result', async () => {
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => resolve('what there is'));
    });
  assert.equal(await withDeadline({ limitMs: 1, graceMs: 60_000 }, work), 'what there is');
});

test('a deadline that has passed expires at once, without a warning of Node', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  await assert.rejects(withDeadline({ limitMs: -34 }, never), DeadlineExceeded);
  await nextLoopTurn();
  process.off('warning', note);
  assert.deepEqual(warnings, []);
});

test('within gives undefined for a late result, and throws the error of the work', async () => {
  assert.equal(await within(1, never()), undefined);
  assert.equal(await within(60_000, Promise.resolve('done')), 'done');
  await assert.rejects(within(60_000, Promise.reject(new Error('broken'))), /broken/);
});
