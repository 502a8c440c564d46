import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMinuteCounts, type MinuteCount } from './minute-counts.ts';

const MINUTE = 60_000;
type Count = MinuteCount<string, string>;

function createCounts() {
  let nowMs = 100 * MINUTE + 5_000;
  const counts = createMinuteCounts<string, string>(() => nowMs);
  return { counts, pass: (minutes: number) => (nowMs += minutes * MINUTE), now: () => nowMs };
}

async function saveInto(counts: ReturnType<typeof createCounts>['counts']): Promise<Count[]> {
  const saved: Count[] = [];
  await counts.save(async (given) => void saved.push(...given));
  return saved;
}

test('results are counted by name, source and minute, and saved once', async () => {
  const { counts, pass } = createCounts();
  counts.add('api', 'traffic', true);
  counts.add('api', 'traffic', false);
  counts.add('api', 'probe', true);
  pass(1);
  counts.add('api', 'traffic', true);
  assert.deepEqual(await saveInto(counts), [
    { minuteMs: 100 * MINUTE, name: 'api', source: 'traffic', good: 1, bad: 1 },
    { minuteMs: 100 * MINUTE, name: 'api', source: 'probe', good: 1, bad: 0 },
    { minuteMs: 101 * MINUTE, name: 'api', source: 'traffic', good: 1, bad: 0 },
  ]);
  assert.deepEqual(await saveInto(counts), []);
});

test('what could not be saved is saved later, together with what came meanwhile', async () => {
  const { counts } = createCounts();
  counts.add('api', 'probe', false);
  await assert.rejects(
    counts.save(async () => {
      counts.add('api', 'probe', false);
      counts.add('sms', 'traffic', true);
      throw new Error('away');
    }),
  );
  assert.deepEqual(await saveInto(counts), [
    { minuteMs: 100 * MINUTE, name: 'api', source: 'probe', good: 0, bad: 2 },
    { minuteMs: 100 * MINUTE, name: 'sms', source: 'traffic', good: 1, bad: 0 },
  ]);
});

test('a whole day without a save is kept, and no more', async () => {
  const { counts, pass } = createCounts();
  const fail = () => assert.rejects(counts.save(() => Promise.reject(new Error('away'))));
  counts.add('api', 'probe', false);
  pass(1);
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    counts.add('api', 'probe', false);
    pass(1);
  }
  await fail();
  const saved = await saveInto(counts);
  assert.equal(saved[0]?.minuteMs, 102 * MINUTE);
  assert.equal(saved.length, 24 * 60 - 1);
});

test('the last minutes can be read although they were saved', async () => {
  const { counts, pass, now } = createCounts();
  counts.add('api', 'probe', true);
  pass(3);
  counts.add('api', 'probe', false);
  await saveInto(counts);
  const minutes = (ms: number) => counts.since(ms).map(({ minuteMs }) => minuteMs / MINUTE);
  assert.deepEqual(minutes(now() - 3 * MINUTE), [100, 103]);
  assert.deepEqual(minutes(now() - 2 * MINUTE), [103]);
  pass(20);
  assert.deepEqual(minutes(0), []);
});
