import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompanyId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import { createPumpingGuard, type MinuteCount } from './pumping.ts';

const COMPANY = 7 as CompanyId;
const PHONE = '77011234567' as Phone;
const NOW = 1_000;

const counted = (minute: number, sent: number, verified = 0): MinuteCount => ({
  companyId: COMPANY,
  prefix: '7701',
  minute,
  sent,
  verified,
});
const isSuspect = (guard: ReturnType<typeof createPumpingGuard>) => {
  guard.takeConcerns();
  guard.askForSms(COMPANY, PHONE, 'record').isAllowed;
  return guard.takeConcerns().length > 0;
};
/** A guard that has read these counts at NOW. */
function guardWith(...counts: MinuteCount[]) {
  const guard = createPumpingGuard();
  const found = guard.learn(NOW, counts);
  return { guard, found };
}

test('thirty codes that nobody verified are suspicious, and reported once', () => {
  const { guard, found } = guardWith(counted(NOW - 10, 30));
  assert.deepEqual(
    found.map(({ bound, ...rest }) => ({ ...rest, bound: bound.toFixed(4) })),
    [{ companyId: COMPANY, prefix: '7701', sent: 30, verified: 0, bound: '0.1135' }],
  );
  assert.deepEqual(guard.learn(NOW + 1, []), []);
  assert(isSuspect(guard));
});

const ages: [minutesAgo: number, isSuspect: boolean][] = [
  [0, false],
  [2, false],
  [3, true],
  [59, true],
  [60, false],
];
for (const [minutesAgo, expected] of ages) {
  test(`codes sent ${minutesAgo} minutes ago are ${expected ? '' : 'not '}judged`, () => {
    assert.equal(isSuspect(guardWith(counted(NOW - minutesAgo, 30)).guard), expected);
  });
}

test('as time passes, codes become old enough to be judged, and then too old', () => {
  const { guard } = guardWith(counted(NOW, 30));
  const found = [1, 2, 3, 59, 60].map((minutes) => {
    guard.learn(NOW + minutes, []);
    return isSuspect(guard);
  });
  assert.deepEqual(found, [false, false, true, true, false]);
});

test('minutes add up, and codes verified a moment ago count', () => {
  const sent = [counted(NOW - 3, 15), counted(NOW - 4, 15)];
  assert(isSuspect(guardWith(...sent).guard));
  assert(!isSuspect(guardWith(...sent, counted(NOW, 50, 2)).guard));
});

test('more verified than judged is a share of one', () => {
  assert(!isSuspect(guardWith(counted(NOW - 3, 30), counted(NOW, 500, 400)).guard));
});

test('a minute read again replaces what was known of it', () => {
  const { guard } = guardWith(counted(NOW - 3, 20));
  guard.learn(NOW, [counted(NOW - 3, 29)]);
  assert(!isSuspect(guard));
  guard.learn(NOW, [counted(NOW - 3, 30)]);
  assert(isSuspect(guard));
});

test('only this company and this prefix are suspicious', () => {
  const { guard } = guardWith(counted(NOW - 3, 30));
  const others: [number, string][] = [
    [7, '77021234567'],
    [8, '77011234567'],
    [7, '79161234567'],
  ];
  for (const [company, phone] of others) {
    for (let sends = 0; sends < 3; sends++) {
      assert(guard.askForSms(company as CompanyId, phone as Phone, 'block').isAllowed);
    }
  }
  assert.deepEqual(guard.takeConcerns(), []);
});

test('block mode lets one send a minute pass, and the decisions say how many were asked', () => {
  const { guard } = guardWith(counted(NOW - 3, 40, 1));
  const ask = () => guard.askForSms(COMPANY, PHONE, 'block').isAllowed;
  assert.deepEqual([ask(), ask(), ask()], [true, false, false]);
  const [concern, ...rest] = guard.takeConcerns();
  assert.deepEqual(rest, []);
  assert.deepEqual(
    [concern?.sent, concern?.verified, concern?.sends, concern?.probes],
    [40, 1, 3, 1],
  );
  guard.learn(NOW, []);
  assert.equal(ask(), false, 'the same minute');
  guard.learn(NOW + 1, []);
  assert.deepEqual([ask(), ask()], [true, false]);
  assert.deepEqual(
    guard.takeConcerns().map(({ sends, probes }) => [sends, probes]),
    [[3, 1]],
  );
});

test('sends counted under a suspicion keep its numbers after it is lifted', () => {
  const { guard } = guardWith(counted(NOW - 3, 40));
  guard.askForSms(COMPANY, PHONE, 'block').isAllowed;
  guard.learn(NOW, [counted(NOW, 0, 30)]);
  assert(
    guard.askForSms(COMPANY, PHONE, 'block').isAllowed &&
      guard.askForSms(COMPANY, PHONE, 'block').isAllowed,
  );
  const [concern] = guard.takeConcerns();
  assert.deepEqual([concern?.sent, concern?.verified, concern?.sends], [40, 0, 1]);
});

test('record mode lets every send pass', () => {
  const { guard } = guardWith(counted(NOW - 3, 40));
  for (let sends = 0; sends < 5; sends++)
    assert(guard.askForSms(COMPANY, PHONE, 'record').isAllowed);
  const [concern] = guard.takeConcerns();
  assert.deepEqual([concern?.sends, concern?.probes], [5, 0]);
});

test('one probe a minute lifts the suspicion when it is verified, and keeps it when it is not', () => {
  const { guard } = guardWith(counted(NOW - 3, 40));
  let minute = NOW;
  const passMinute = (probesVerified: number): boolean => {
    minute += 1;
    guard.learn(minute, [counted(minute - 1, 1, probesVerified)]);
    return isSuspect(guard);
  };
  for (let minutes = 0; minutes < 120; minutes++) assert(passMinute(0));
  // Of the 57 that are old enough, six verified could be a fifth; five could not.
  const after = Array.from({ length: 8 }, () => passMinute(1));
  assert.deepEqual(after, [true, true, true, true, true, false, false, false]);
});

test('takeCounts returns each count once', () => {
  const guard = createPumpingGuard();
  guard.countSent(COMPANY, PHONE);
  guard.countSent(COMPANY, '77017654321' as Phone);
  guard.countVerified(COMPANY, PHONE);
  guard.countSent(COMPANY, '79161234567' as Phone);
  assert.deepEqual(guard.takeCounts(), [
    { companyId: COMPANY, prefix: '7701', sent: 2, verified: 1 },
    { companyId: COMPANY, prefix: '791', sent: 1, verified: 0 },
  ]);
  assert.deepEqual(guard.takeCounts(), []);
  // Its own counts matter to a guard only once they were written and read back.
  assert(!isSuspect(guard));
});
