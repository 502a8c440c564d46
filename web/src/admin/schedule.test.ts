import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSchedule } from './schedule.ts';

test('a schedule is told in the time of Almaty, and one of another kind is left as it is', () => {
  assert.deepEqual(readSchedule('*/5 * * * *'), { every: 'minutes', minutes: 5 });
  assert.deepEqual(readSchedule('7 * * * *'), { every: 'hour', minute: 7 });
  assert.deepEqual(readSchedule('17 1 * * *'), { every: 'day', time: '06:17' });
  assert.deepEqual(readSchedule('0 22 * * *'), { every: 'day', time: '03:00' });
  assert.equal(readSchedule('0 3 * * 1'), undefined);
  assert.equal(readSchedule('0 3 1 * *'), undefined);
});
