import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import { makeTraffic } from './traffic.ts';
import type { Traffic } from './traffic-rows.ts';

/** A Wednesday, at 17:20 in Almaty. */
const NOW = new Date('2026-11-18T12:20:00Z');
const OPENED = new Date('2026-10-17T06:00:00Z');
const at = (hoursAgo: number) => new Date(NOW.getTime() - hoursAgo * 3_600_000);

function trafficOf(from: Date, to: Date, incident?: { from: Date; to: Date }): Traffic {
  return makeTraffic({
    from,
    to,
    openedAt: OPENED,
    incident,
    keys: { site: 1, app: 2, tests: 3 },
    groupId: 7,
    prices: DEFAULT_PRICES,
    shortLinkBase: 'https://example.kz/s',
  });
}

test('the same time has the same traffic', () => {
  assert.deepEqual(trafficOf(at(30), NOW), trafficOf(at(30), NOW));
});

test('what is made in two parts is what is made at once', () => {
  const ids = ({ messages }: Traffic) => messages.map(({ id }) => id);
  // In the middle of an hour, and far from the end of either part.
  const border = at(10.5);
  const parts = [...ids(trafficOf(at(30), border)), ...ids(trafficOf(border, at(1)))];
  const whole = ids(trafficOf(at(30), at(1)));
  assert.deepEqual(
    whole.filter((id) => !parts.includes(id)),
    [],
  );
  // Only what keeps the end of the first part from being old is new.
  assert.ok(parts.length - whole.length <= 3, `${parts.length} and ${whole.length}`);
});

test('nothing lies in the future', () => {
  const { messages, calls, clicks, codes } = trafficOf(at(30), NOW);
  const times = [
    ...messages.flatMap((one) => [one.created_at, one.settled_at, one.receipt_at]),
    ...calls.map((call) => call.at),
    ...clicks.map((click) => click.at),
    ...codes.map((code) => code.verified_at),
  ];
  const latest = Math.max(...times.map((time) => time?.getTime() ?? 0));
  // A receipt may come within the five seconds that the caller leaves.
  assert.ok(latest <= NOW.getTime() + 5_000, new Date(latest).toISOString());
  assert.ok(Math.max(...clicks.map((click) => click.at.getTime())) < NOW.getTime());
});

test('a working day is busier than its night, and than a Sunday', () => {
  const sends = (from: string, to: string) =>
    trafficOf(new Date(from), new Date(to)).messages.length;
  const day = sends('2026-11-17T04:00:00Z', '2026-11-17T16:00:00Z');
  const night = sends('2026-11-17T19:00:00Z', '2026-11-18T01:00:00Z');
  const sunday = sends('2026-11-15T04:00:00Z', '2026-11-15T16:00:00Z');
  assert.ok(night * 10 < day, `${night} at night, ${day} by day`);
  assert.ok(sunday < day, `${sunday} on Sunday, ${day} on Tuesday`);
});

test('in an incident no message is confirmed by WhatsApp', () => {
  const { messages, attempts } = trafficOf(at(30), NOW, { from: at(26), to: at(24) });
  const isIn = (time: Date) => time >= at(26) && time < at(24);
  const confirmed = messages.filter(
    (one) => isIn(one.created_at) && one.channel === 'whatsapp' && one.delivered_at !== null,
  );
  assert.deepEqual(confirmed, []);
  const silent = attempts.filter(
    (one) => isIn(one.started_at) && one.channel === 'whatsapp' && one.receipt === 'unconfirmed',
  );
  assert.ok(silent.length > 8, `${silent.length} were silent`);
});

test('people open links in cities of Kazakhstan, each customer in one of them', () => {
  const { clicks } = trafficOf(at(24 * 7), NOW);
  const people = clicks.filter((click) => !click.is_robot);
  assert.ok(clicks.every((click) => (click.country === null) === click.is_robot));
  assert.ok(people.every(({ country }) => country === 'KZ'));
  const cities = new Map<string | null, number>();
  for (const { city } of people) cities.set(city, (cities.get(city) ?? 0) + 1);
  const almaty = (cities.get('Almaty') ?? 0) / people.length;
  assert.ok(almaty > 0.45 && almaty < 0.7, `${almaty} in Almaty`);
  assert.ok(cities.size > 5 && (cities.get(null) ?? 0) > 0, [...cities.keys()].join());
  const homes = new Set(people.flatMap((one) => one.recipient ?? []));
  const pairs = new Set(
    people.flatMap((one) => (one.recipient ? `${one.recipient} ${one.city}` : [])),
  );
  assert.equal(pairs.size, homes.size);
});

test('a customer has one device, posts are opened from networks, and paper is scanned by phones', () => {
  const { clicks } = trafficOf(at(24 * 14), NOW);
  const devices = new Map<string, Set<string>>();
  for (const { recipient, device, system, browser } of clicks.filter((one) => !one.is_robot)) {
    const of = devices.get(recipient ?? 'anybody') ?? new Set();
    devices.set(recipient ?? 'anybody', of.add([device, system, browser].join()));
  }
  assert.ok((devices.get('anybody')?.size ?? 0) > 6);
  devices.delete('anybody');
  assert.ok(devices.size > 50);
  assert.deepEqual(new Set([...devices.values()].map((of) => of.size)), new Set([1]));
  const slugsWith = (is: (click: (typeof clicks)[number]) => boolean) =>
    [...new Set(clicks.filter(is).map(({ slug }) => slug))].sort();
  assert.deepEqual(
    slugsWith(({ referrer }) => referrer === 'instagram.com'),
    ['Buket7mP'],
  );
  assert.deepEqual(
    slugsWith(({ is_scan: isScan }) => isScan),
    ['Kontakt4', 'Otzyv2gs'],
  );
  const scanned = clicks.filter(({ is_scan: isScan }) => isScan);
  assert.ok(scanned.every(({ device, is_robot: isRobot }) => device === 'phone' && !isRobot));
  const robots = clicks.filter(({ is_robot: isRobot }) => isRobot);
  assert.ok(robots.every(({ device, country, referrer }) => !device && !country && !referrer));
});

test('a logged call has its bodies, without the code and as its endpoint has them', () => {
  const { calls } = trafficOf(at(24 * 14), NOW);
  const paths = ['/api/otp/send', '/api/otp/verify'];
  assert.deepEqual([...new Set(calls.map(({ path }) => path))].sort(), paths);
  for (const { path, recipient, request_body: json } of calls) {
    const body = JSON.parse(json);
    if (recipient !== null) assert.equal(body.phone, `+${recipient}`);
    assert.equal(body.code, path === '/api/otp/verify' ? '•••' : undefined);
  }
  const answersTo = (code: string | null) =>
    calls.filter((call) => call.error_code === code).map((call) => call.answer_body);
  assert.deepEqual(new Set(answersTo('invalid_code')), new Set(['{"attempts_left":4}']));
  assert.deepEqual(new Set(answersTo(null)), new Set([null]));
  for (const body of answersTo('send_rate_limited')) {
    assert.match(body ?? '', /^\{"retry_after":\d\d\}$/);
  }
});
