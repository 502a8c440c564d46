import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Component } from '@zhiber/contract/admin/incidents.ts';
import type { PublicIncident } from '@zhiber/contract/pages/status.ts';
import type { MeasuredMinute } from './component-state.ts';
import { isStale, makeSnapshot, phaseOf, withOwnCounts, withSilentApi } from './snapshot.ts';

const NOW = new Date('2026-11-18T07:30:20.000Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

const minuteOf = (at: Date, measured: Partial<MeasuredMinute>) =>
  new Map([
    [
      Math.floor(at.getTime() / 60_000) * 60_000,
      { traffic: { good: 0, bad: 0 }, probe: { good: 0, bad: 0 }, ...measured },
    ],
  ]);

const INCIDENT: PublicIncident = {
  id: 7,
  title: { ru: 'Сбой', kk: null, en: null },
  impact: 'major',
  components: ['sms'],
  state: 'investigating',
  startedAt: '2026-11-18T07:00:00.000Z',
  publishedAt: '2026-11-18T07:01:00.000Z',
  resolvedAt: null,
  planned: null,
  updates: [],
};
const MAINTENANCE: PublicIncident = {
  ...INCIDENT,
  id: 8,
  components: ['api'],
  state: 'identified',
  planned: { from: '2026-11-18T07:00:00.000Z', until: '2026-11-18T08:00:00.000Z' },
};

function snapshotOf(
  minutes: [Component, ReadonlyMap<number, MeasuredMinute>][],
  incidents: PublicIncident[] = [],
) {
  return makeSnapshot({
    now: NOW,
    siteUrl: 'https://zhiber.example',
    isSandbox: false,
    minutes: new Map(minutes),
    days: [],
    incidents,
  });
}

const stateIn = ({ components }: ReturnType<typeof snapshotOf>, name: Component) =>
  components.find((component) => component.name === name)?.state;

const GOOD = { probe: { good: 3, bad: 0 } };
const BAD = { probe: { good: 0, bad: 3 } };

test('nothing measured is no state, no source and no uptime, for every component', () => {
  for (const component of snapshotOf([]).components) {
    const { state, measuredBy, uptimePercent, days } = component;
    assert.deepEqual([state, measuredBy, uptimePercent, days.length], [null, [], null, 90]);
  }
});

test('the ninety days end with today in Almaty', () => {
  const { days } = snapshotOf([]).components[0] ?? { days: [] };
  assert.deepEqual([days[0]?.day, days.at(-1)?.day], ['2026-08-21', '2026-11-18']);
});

test('the sources are those that the state rests on', () => {
  const sourcesOf = (measured: Partial<MeasuredMinute>) =>
    snapshotOf([['sms', minuteOf(NOW, measured)]]).components.find(({ name }) => name === 'sms')
      ?.measuredBy;
  assert.deepEqual(sourcesOf({ traffic: { good: 10, bad: 0 } }), ['traffic']);
  assert.deepEqual(sourcesOf({ traffic: { good: 9, bad: 0 } }), []);
  assert.deepEqual(sourcesOf({ ...GOOD, traffic: { good: 9, bad: 0 } }), ['probe']);
  assert.deepEqual(sourcesOf({ ...GOOD, traffic: { good: 5, bad: 5 } }), ['traffic', 'probe']);
});

test('an open incident shows although the figures are good, and a resolved one does not', () => {
  const measured: [Component, ReadonlyMap<number, MeasuredMinute>][] = [
    ['sms', minuteOf(NOW, { traffic: { good: 100, bad: 0 } })],
  ];
  assert.equal(stateIn(snapshotOf(measured, [INCIDENT]), 'sms'), 'partial');
  assert.equal(stateIn(snapshotOf(measured, [INCIDENT]), 'telegram'), null);
  const resolved = { ...INCIDENT, state: 'resolved' as const };
  assert.equal(stateIn(snapshotOf(measured, [resolved]), 'sms'), 'operational');
});

test('maintenance goes by the clock, unless it was finished earlier', () => {
  const phaseAt = (time: string) => phaseOf(MAINTENANCE, new Date(`2026-11-18T${time}.000Z`));
  assert.equal(phaseAt('06:59:59'), 'scheduled');
  assert.equal(phaseAt('07:00:00'), 'inProgress');
  assert.equal(phaseAt('07:59:59'), 'inProgress');
  assert.equal(phaseAt('08:00:00'), 'completed');
  assert.equal(phaseOf({ ...MAINTENANCE, state: 'resolved' }, NOW), 'completed');
  assert.equal(phaseOf(INCIDENT, NOW), undefined);
  assert.equal(
    stateIn(snapshotOf([['api', minuteOf(NOW, BAD)]], [MAINTENANCE]), 'api'),
    'maintenance',
  );
});

test('a node that has lost its database turns its API red by what it knows itself', () => {
  const snapshot = snapshotOf([
    ['api', minuteOf(NOW, GOOD)],
    ['sms', minuteOf(NOW, GOOD)],
  ]);
  const own = new Map([['api' as const, minuteOf(later(30), BAD)]]);
  const soon = withOwnCounts(snapshot, { minutes: own, isDatabaseUp: true }, later(40));
  assert.deepEqual([stateIn(soon, 'api'), stateIn(soon, 'sms')], ['major', 'operational']);
  assert.equal(soon.at, snapshot.at);
  // After two minutes nobody knows any more how the channels are.
  const old = withOwnCounts(
    snapshot,
    { minutes: new Map([['api' as const, minuteOf(later(200), BAD)]]), isDatabaseUp: true },
    later(200),
  );
  assert.deepEqual([stateIn(old, 'api'), stateIn(old, 'sms')], ['major', null]);
  // Without the database nothing works, whatever the probes said a moment ago.
  const known = { minutes: new Map([['api' as const, minuteOf(NOW, GOOD)]]), isDatabaseUp: false };
  assert.equal(stateIn(withOwnCounts(snapshot, known, later(1)), 'api'), 'major');
});

test('without an answer of the API, nothing that comes from the same process is called good', () => {
  const snapshot = snapshotOf([
    ['api', minuteOf(NOW, GOOD)],
    ['cabinet', minuteOf(NOW, GOOD)],
    ['links', minuteOf(NOW, GOOD)],
    ['sms', minuteOf(NOW, GOOD)],
  ]);
  const states = (seconds: number) =>
    (['api', 'cabinet', 'links', 'sms'] as const).map((name) =>
      stateIn(withSilentApi(snapshot, later(seconds)), name),
    );
  assert.deepEqual(states(10), ['major', 'major', 'major', 'operational']);
  assert.deepEqual(states(121), ['major', 'major', 'major', null]);
});

test('data is old after two minutes', () => {
  assert.deepEqual([isStale({ at: NOW.toISOString() }, later(120))], [false]);
  assert.deepEqual([isStale({ at: NOW.toISOString() }, later(121))], [true]);
});
