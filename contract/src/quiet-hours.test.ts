import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endOfSending, isDayOff, isQuiet, KURBAN_AIT, nextSendingTime } from './quiet-hours.ts';

/** Local time of Almaty. */
const almaty = (local: string) => new Date(`${local}+05:00`);
const next = (local: string, rules = evenings) => {
  const at = nextSendingTime(almaty(local), rules);
  return new Date(at.getTime() + 5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
};

const evenings = { quietFrom: 21, quietTo: 9, skipsDaysOff: true };
const everyDay = { ...evenings, skipsDaysOff: false };

// 17 November 2026 is a Tuesday.
const ORDINARY: [string, string][] = [
  ['2026-11-17T20:59:59', '2026-11-17 20:59:59'],
  ['2026-11-17T20:59:59.999', '2026-11-17 20:59:59'],
  ['2026-11-17T21:00:00', '2026-11-18 09:00:00'],
  ['2026-11-18T00:00:00', '2026-11-18 09:00:00'],
  ['2026-11-18T08:59:59.999', '2026-11-18 09:00:00'],
  ['2026-11-18T09:00:00', '2026-11-18 09:00:00'],
  ['2026-11-20T20:59:59', '2026-11-20 20:59:59'],
  // From Friday evening and from the weekend to Monday.
  ['2026-11-20T21:00:00', '2026-11-23 09:00:00'],
  ['2026-11-21T12:00:00', '2026-11-23 09:00:00'],
  ['2026-11-22T23:59:59', '2026-11-23 09:00:00'],
  // Republic Day of 2026 is a Sunday, so Monday rests instead.
  ['2026-10-23T21:00:00', '2026-10-27 09:00:00'],
  ['2026-10-26T12:00:00', '2026-10-27 09:00:00'],
  // New Year of 2027: Friday and Saturday, so Monday rests for the Saturday.
  ['2026-12-31T21:00:00', '2027-01-05 09:00:00'],
];
for (const [at, expected] of ORDINARY) {
  test(`what is due at ${at} goes at ${expected}`, () => {
    assert.equal(next(at), expected);
    assert.equal(isQuiet(almaty(at), evenings), at.slice(0, 19).replace('T', ' ') !== expected);
  });
}

test('days off count only where they are asked for', () => {
  assert.equal(next('2026-11-21T12:00:00', everyDay), '2026-11-21 12:00:00');
  assert.equal(next('2026-11-21T21:00:00', everyDay), '2026-11-22 09:00:00');
});

test('the same hour twice means no quiet hours, but days off still count', () => {
  const none = { quietFrom: 9, quietTo: 9, skipsDaysOff: false };
  for (const hour of ['00', '08', '09', '10', '23']) {
    assert.equal(isQuiet(almaty(`2026-11-17T${hour}:00:00`), none), false, hour);
  }
  const midnight = { quietFrom: 0, quietTo: 0, skipsDaysOff: true };
  assert.equal(next('2026-11-17T00:00:00', midnight), '2026-11-17 00:00:00');
  assert.equal(next('2026-11-20T23:59:59', midnight), '2026-11-20 23:59:59');
  assert.equal(next('2026-11-21T00:00:00', midnight), '2026-11-23 00:00:00');
});

test('quiet hours may lie within a day, or end or begin at midnight', () => {
  const lunch = { quietFrom: 13, quietTo: 15, skipsDaysOff: false };
  assert.equal(next('2026-11-17T12:59:59', lunch), '2026-11-17 12:59:59');
  assert.equal(next('2026-11-17T13:00:00', lunch), '2026-11-17 15:00:00');
  assert.equal(next('2026-11-17T14:59:59', lunch), '2026-11-17 15:00:00');
  assert.equal(next('2026-11-17T15:00:00', lunch), '2026-11-17 15:00:00');
  assert.equal(next('2026-11-17T03:00:00', lunch), '2026-11-17 03:00:00');
  const early = { quietFrom: 0, quietTo: 8, skipsDaysOff: false };
  assert.equal(next('2026-11-17T00:00:00', early), '2026-11-17 08:00:00');
  assert.equal(next('2026-11-17T23:59:59', early), '2026-11-17 23:59:59');
  const late = { quietFrom: 22, quietTo: 0, skipsDaysOff: false };
  assert.equal(next('2026-11-17T22:00:00', late), '2026-11-18 00:00:00');
  assert.equal(next('2026-11-18T00:00:00', late), '2026-11-18 00:00:00');
});

test('the calendar is that of the government for 2026, by weekdays', () => {
  assert.deepEqual(weekdaysOff(2026), [
    ...['01-01', '01-02', '01-07', '03-09', '03-23', '03-24', '03-25', '05-01', '05-07', '05-11'],
    ...['05-27', '07-06', '10-26', '12-16'],
  ]);
});

test('from 2027 on the day of the constitution is 15 March', () => {
  assert.deepEqual(weekdaysOff(2027), [
    ...['01-01', '01-04', '01-07', '03-08', '03-15', '03-22', '03-23', '03-24', '05-03', '05-07'],
    ...['05-10', '07-06', '10-25', '12-16'],
  ]);
  assert.deepEqual(weekdaysOff(2028), [
    ...['01-03', '01-04', '01-07', '03-08', '03-15', '03-21', '03-22', '03-23', '05-01', '05-05'],
    ...['05-08', '05-09', '07-06', '10-25', '12-18'],
  ]);
});

test('Kurban Ait is the tenth of Dhu al-Hijja, and known for certain only in its year', () => {
  const islamic = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura', {
    month: 'numeric',
    day: 'numeric',
    timeZone: 'UTC',
  });
  for (const [year, { day, isExpected }] of Object.entries(KURBAN_AIT)) {
    assert.match(islamic.format(new Date(`${year}-${day}T12:00:00Z`)), /^12\/10/);
    assert.equal(isExpected, Number(year) > 2026);
  }
});

test('what is found is never quiet, never earlier, and nothing before it would do', () => {
  const hour = fc.integer({ min: 0, max: 23 });
  const rules = fc.record({ quietFrom: hour, quietTo: hour, skipsDaysOff: fc.boolean() });
  const instants = fc.integer({
    min: Date.parse('2025-12-01T00:00:00Z'),
    max: Date.parse('2030-01-31T00:00:00Z'),
  });
  fc.assert(
    fc.property(instants, rules, (ms, rule) => {
      const at = new Date(ms);
      const found = nextSendingTime(at, rule);
      assert(found >= at && !isQuiet(found, rule));
      if (found > at) assert(isQuiet(new Date(found.getTime() - 1), rule));
      else assert(!isQuiet(at, rule));
    }),
  );
});

const HOURS: [string, number, string][] = [
  ['2026-11-17T12:00:00', 2, '2026-11-17 14:00:00'],
  // Nothing is sent after the last recipient: it ends in the evening, not in the morning.
  ['2026-11-17T12:00:00', 9, '2026-11-17 21:00:00'],
  ['2026-11-17T12:00:00', 10, '2026-11-18 10:00:00'],
  ['2026-11-17T23:00:00', 1, '2026-11-18 10:00:00'],
  ['2026-11-20T20:00:00', 2, '2026-11-23 10:00:00'],
  // Twelve hours of sending in each working day.
  ['2026-11-16T09:00:00', 60, '2026-11-20 21:00:00'],
  ['2026-11-16T09:00:00', 61, '2026-11-23 10:00:00'],
];
for (const [at, hours, expected] of HOURS) {
  test(`${hours} hours of sending from ${at} end at ${expected}`, () => {
    const end = endOfSending(almaty(at), hours * 3_600_000, evenings);
    assert.equal(end.getTime(), almaty(expected.replace(' ', 'T')).getTime());
  });
}

test('without rests sending ends after its own time', () => {
  const none = { quietFrom: 9, quietTo: 9, skipsDaysOff: false };
  const end = endOfSending(almaty('2026-11-17T08:00:00'), 100 * 3_600_000, none);
  assert.equal(end.getTime(), almaty('2026-11-21T12:00:00').getTime());
});

/** The days off of a year from Monday to Friday. */
function weekdaysOff(year: number): string[] {
  const days: string[] = [];
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    const weekday = new Date(at).getUTCDay();
    if (weekday >= 1 && weekday <= 5 && isDayOff(day)) days.push(day.slice(5));
  }
  return days;
}
