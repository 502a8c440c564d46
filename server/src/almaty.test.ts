import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  almatyDay,
  almatyDays,
  almatyMonth,
  almatyTime,
  bucketEdges,
  fromAlmatyTime,
} from './almaty.ts';

const day = (text: string, days = 0) => almatyDay(new Date(text), days).toISOString();

test('a day of Almaty begins at 19:00 UTC', () => {
  assert.equal(day('2026-11-15T18:59:59.999Z'), '2026-11-14T19:00:00.000Z');
  assert.equal(day('2026-11-15T19:00:00.000Z'), '2026-11-15T19:00:00.000Z');
  assert.equal(day('2026-11-15T19:00:00.000Z', -1), '2026-11-14T19:00:00.000Z');
  assert.equal(almatyTime(new Date('2026-11-15T19:00:01.000Z')), '2026-11-16 00:00:01');
});

test('the day on which the offset changed has 25 hours', () => {
  // On 1 March 2024 the clocks went from +06:00 to +05:00 at midnight.
  assert.equal(day('2024-02-29T10:00:00Z'), '2024-02-28T18:00:00.000Z');
  assert.equal(day('2024-02-29T10:00:00Z', 1), '2024-02-29T19:00:00.000Z');
});

test('a local time becomes its instant, and one that does not exist becomes none', () => {
  const instant = (local: string) => fromAlmatyTime(local)?.toISOString();
  assert.equal(instant('2026-11-16 00:00:01'), '2026-11-15T19:00:01.000Z');
  assert.equal(instant('2024-02-29 12:00:00'), '2024-02-29T06:00:00.000Z');
  assert.equal(instant('2024-03-01 12:00:00'), '2024-03-01T07:00:00.000Z');
  for (const local of ['2026-02-30 12:00:00', '2026-13-01 12:00:00', '2026-11-16 25:00:00', '']) {
    assert.equal(instant(local), undefined, local);
  }
});

test('a chart has a column for each hour or day, and the last one has begun', () => {
  const now = new Date('2026-11-15T20:30:00Z');
  const hours = bucketEdges('24h', now);
  assert.equal(hours.length, 25);
  assert.equal(hours[23]?.toISOString(), '2026-11-15T20:00:00.000Z');
  const days = bucketEdges('7d', now);
  assert.equal(days.length, 8);
  assert.equal(days[6]?.toISOString(), '2026-11-15T19:00:00.000Z');
  assert.equal(days[7]?.toISOString(), '2026-11-16T19:00:00.000Z');
  assert.equal(bucketEdges('30d', now).length, 31);
});

test('days from one instant to another are midnights in Almaty, both days included', () => {
  const days = almatyDays(new Date('2026-11-13T18:59:59Z'), new Date('2026-11-15T19:00:00Z'));
  assert.deepEqual(
    days.map((day) => day.toISOString()),
    [
      '2026-11-12T19:00:00.000Z',
      '2026-11-13T19:00:00.000Z',
      '2026-11-14T19:00:00.000Z',
      '2026-11-15T19:00:00.000Z',
    ],
  );
  const now = new Date('2026-11-15T12:00:00Z');
  assert.deepEqual(almatyDays(now, new Date('2026-11-01T00:00:00Z')).length, 1);
});

test('a month begins at its first midnight in Almaty', () => {
  const month = (text: string, months = 0) => almatyMonth(new Date(text), months).toISOString();
  assert.equal(month('2026-11-30T18:59:59.999Z'), '2026-10-31T19:00:00.000Z');
  assert.equal(month('2026-11-30T19:00:00.000Z'), '2026-11-30T19:00:00.000Z');
  assert.equal(month('2026-01-15T00:00:00.000Z', -1), '2025-11-30T19:00:00.000Z');
  // The offset was +06:00 until March 2024.
  assert.equal(month('2024-02-10T00:00:00.000Z'), '2024-01-31T18:00:00.000Z');
});
