import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addUpMinutes,
  type Counts,
  judgeMinute,
  judgeNow,
  type MeasuredMinute,
  raiseByIncident,
  uptimePercent,
  worstOf,
  worstOfDay,
} from './component-state.ts';

const MINUTE = 60_000;

/** Minutes from zero on; `3/1` is three good ones and a bad one. */
function minutesOf(...given: { traffic?: string; probe?: string }[]) {
  const read = (text: string | undefined): Counts => {
    const [good = 0, bad = 0] = (text ?? '0/0').split('/').map(Number);
    return { good, bad };
  };
  return new Map<number, MeasuredMinute>(
    given.map(({ traffic, probe }, at) => [
      at * MINUTE,
      { traffic: read(traffic), probe: read(probe) },
    ]),
  );
}

describe('a minute', () => {
  const EXPECTED: [string, { traffic?: string; probe?: string }, string | undefined][] = [
    ['without any figure is unknown', {}, undefined],
    ['with few calls and no probe is unknown', { traffic: '9/0' }, undefined],
    ['with few failed calls and no probe is unknown', { traffic: '0/9' }, undefined],
    ['with enough good calls works', { traffic: '10/0' }, 'operational'],
    ['with one failed call in ten works', { traffic: '9/1' }, 'operational'],
    ['with 1 % of failed calls works', { traffic: '990/10' }, 'operational'],
    ['with 2 % of failed calls is degraded', { traffic: '98/2' }, 'degraded'],
    ['with 10 % of failed calls is a partial outage', { traffic: '90/10' }, 'partial'],
    ['with half of all calls failed is a major outage', { traffic: '10/10' }, 'major'],
    ['with good probes alone works', { probe: '3/0' }, 'operational'],
    ['with one failed probe is degraded', { probe: '2/1' }, 'degraded'],
    ['with one probe, which failed, is degraded', { probe: '0/1' }, 'degraded'],
    ['with most probes failed is a partial outage', { probe: '1/2' }, 'partial'],
    ['with all probes failed is a major outage', { probe: '0/3' }, 'major'],
    [
      'with good calls and failed probes is degraded',
      { traffic: '50/0', probe: '0/3' },
      'degraded',
    ],
    ['with failed calls and good probes is an outage', { traffic: '0/50', probe: '3/0' }, 'major'],
    [
      'with few failed calls and good probes works',
      { traffic: '0/3', probe: '3/0' },
      'operational',
    ],
  ];
  for (const [name, measured, state] of EXPECTED) {
    test(name, () => assert.equal(judgeMinute('api', minutesOf(measured), 0), state));
  }

  test('with few calls is judged by those of the ten minutes before, if it has any', () => {
    const minutes = minutesOf({ traffic: '0/20' }, { traffic: '1/0' }, {});
    assert.equal(judgeMinute('sms', minutes, MINUTE), 'major');
    assert.equal(judgeMinute('sms', minutes, 2 * MINUTE), undefined);
    assert.equal(judgeMinute('sms', minutesOf({ traffic: '0/20' }), 11 * MINUTE), undefined);
  });

  test('of a provider is judged by a probe of the last five minutes, one of ours by its own', () => {
    const minutes = minutesOf({ probe: '2/0' });
    assert.equal(judgeMinute('sms', minutes, 4 * MINUTE), 'operational');
    assert.equal(judgeMinute('sms', minutes, 5 * MINUTE), undefined);
    assert.equal(judgeMinute('api', minutes, MINUTE), undefined);
  });
});

test('the state now rests on the minute that has begun and on the one before', () => {
  const minutes = minutesOf({ probe: '3/0' }, { probe: '0/3' }, { probe: '0/1' });
  assert.equal(judgeNow('api', minutes, 2 * MINUTE + 30_000), 'major');
  assert.equal(judgeNow('api', minutes, MINUTE), 'partial');
  assert.equal(judgeNow('api', minutes, 4 * MINUTE), undefined);
});

test('a planted outage of 14 minutes is found to the minute, and ends', () => {
  const day = Array.from({ length: 60 }, (_, at) => ({
    probe: at >= 20 && at < 34 ? '0/3' : '3/0',
  }));
  const span = { fromMs: 0, untilMs: 60 * MINUTE };
  assert.deepEqual(addUpMinutes('api', minutesOf(...day), { span, maintenance: [] }), {
    measured: 60,
    degraded: 0,
    partial: 0,
    major: 14,
    maintenance: 0,
  });
});

test('minutes of maintenance are in no other count, and minutes without figures in none', () => {
  const minutes = minutesOf({ probe: '0/3' }, { probe: '0/3' }, {}, { probe: '3/0' });
  const span = { fromMs: 0, untilMs: 4 * MINUTE };
  const maintenance = [{ fromMs: 0, untilMs: MINUTE }];
  assert.deepEqual(addUpMinutes('api', minutes, { span, maintenance }), {
    measured: 2,
    degraded: 0,
    partial: 0,
    major: 1,
    maintenance: 1,
  });
});

const DAY = { measured: 1_440, degraded: 0, partial: 0, major: 0, maintenance: 0 };

test('a day is as bad as its worst minute', () => {
  assert.equal(worstOfDay(DAY), 'operational');
  assert.equal(worstOfDay({ ...DAY, degraded: 1 }), 'degraded');
  assert.equal(worstOfDay({ ...DAY, degraded: 100, partial: 14 }), 'partial');
  assert.equal(worstOfDay({ ...DAY, partial: 14, major: 1 }), 'major');
  assert.equal(worstOfDay({ ...DAY, measured: 0, maintenance: 60 }), 'maintenance');
  assert.equal(worstOfDay({ ...DAY, measured: 0 }), null);
});

test('uptime is the share of measured minutes without an outage, never rounded up', () => {
  assert.equal(uptimePercent([]), null);
  assert.equal(uptimePercent([{ ...DAY, measured: 0, maintenance: 5 }]), null);
  assert.equal(uptimePercent([DAY]), 100);
  assert.equal(uptimePercent([{ ...DAY, degraded: 60 }]), 100);
  // 14 of 1,440 minutes are 0.972 %.
  assert.equal(uptimePercent([{ ...DAY, partial: 14 }]), 99.02);
  assert.equal(uptimePercent([{ ...DAY, partial: 7, major: 7 }]), 99.02);
  // A minute of 90 days is 0.0008 %.
  assert.equal(uptimePercent([...Array(89).fill(DAY), { ...DAY, major: 1 }]), 99.99);
  assert.equal(uptimePercent([{ ...DAY, measured: 10, major: 5 }]), 50);
});

test('an incident that an operator published is not hidden by good figures, nor the reverse', () => {
  assert.equal(raiseByIncident('operational', 'minor'), 'degraded');
  assert.equal(raiseByIncident('operational', 'critical'), 'major');
  assert.equal(raiseByIncident('major', 'minor'), 'major');
  assert.equal(raiseByIncident(null, 'major'), 'partial');
});

test('the whole is as bad as its worst part that is known', () => {
  assert.equal(worstOf(['operational', null, 'operational']), 'operational');
  assert.equal(worstOf(['operational', 'maintenance']), 'maintenance');
  assert.equal(worstOf(['maintenance', 'degraded', 'partial']), 'partial');
  assert.equal(worstOf([null, null]), null);
});
