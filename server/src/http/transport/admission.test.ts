import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmission } from './admission.ts';

const KINDS = ['page', 'shorten', 'redirect', 'send', 'verify'] as const;

/** Admission control of a service that answers four calls per millisecond, on a fake clock. */
function admission(answersPerMs = 4) {
  let nowMs = 0;
  let answered = 0;
  const { isAdmitted } = createAdmission(() => nowMs);
  const ask = (kind: (typeof KINDS)[number], underWay: number) =>
    isAdmitted(kind, { underWay, answered });
  const advance = (ms: number) => {
    nowMs += ms;
    answered += ms * answersPerMs;
  };
  /** Holds this many calls in flight for this long. */
  const hold = (underWay: number, ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      ask('verify', underWay);
      advance(50);
    }
    ask('verify', underWay);
  };
  hold(10, 2_000);
  return { ask, advance, hold };
}

const admitted = ({ ask }: ReturnType<typeof admission>, underWay: number) =>
  KINDS.filter((kind) => ask(kind, underWay));

test('a burst of thousands is admitted', () => {
  const { ask, advance } = admission();
  for (let underWay = 0; underWay < 3_000; underWay++) assert(ask('shorten', underWay));
  advance(900);
  assert(ask('send', 3_000));
});

test('above the burst limit every kind of call is refused', () => {
  assert(!admission().ask('verify', 3_072));
});

test('many calls in flight that are answered quickly are no overload', () => {
  const service = admission(40);
  service.hold(3_000, 5_000);
  assert.deepEqual(admitted(service, 3_000), KINDS);
});

test('a backlog sustained for a second is an overload, and the least urgent calls go first', () => {
  const service = admission();
  service.hold(900, 1_100);
  assert.deepEqual(admitted(service, 180), KINDS);
  assert.deepEqual(admitted(service, 240), ['shorten', 'redirect', 'send', 'verify']);
  assert.deepEqual(admitted(service, 320), ['redirect', 'send', 'verify']);
  assert.deepEqual(admitted(service, 420), ['send', 'verify']);
  assert.deepEqual(admitted(service, 600), ['verify']);
  assert.deepEqual(admitted(service, 900), []);
});

test('a service that answers nothing still admits a few calls, so it can detect recovery', () => {
  const service = admission(0);
  service.hold(400, 1_100);
  assert.deepEqual(admitted(service, 20), KINDS);
  assert.deepEqual(admitted(service, 80), ['send', 'verify']);
  assert.deepEqual(admitted(service, 170), []);
});

test('two bursts with a lull between them are no overload', () => {
  const { ask, advance, hold } = admission();
  for (let burst = 0; burst < 5; burst++) {
    hold(2_000, 900);
    assert(ask('send', 2_000));
    ask('send', 10);
    advance(900);
  }
});

test('an overload is over when nothing had to be refused for a second', () => {
  const { ask, hold } = admission();
  hold(900, 1_100);
  for (let turn = 0; turn < 20; turn++) {
    hold(100, 100);
    assert(!ask('send', 500));
  }
  hold(100, 1_100);
  assert(ask('send', 2_000), 'bursts are let in again');
});
