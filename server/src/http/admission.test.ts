import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmission } from './admission.ts';

const KINDS = ['page', 'shorten', 'redirect', 'send', 'verify'] as const;

/** An admission of a service that answers four calls in a millisecond; the test moves its clock. */
function admission(answersPerMs = 4) {
  let nowMs = 0;
  let answered = 0;
  const { isAdmitted } = createAdmission(() => nowMs);
  const ask = (kind: (typeof KINDS)[number], underWay: number) =>
    isAdmitted(kind, { underWay, answered });
  const pass = (ms: number) => {
    nowMs += ms;
    answered += ms * answersPerMs;
  };
  /** So much is under way for so long. */
  const keep = (underWay: number, ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      ask('verify', underWay);
      pass(50);
    }
    ask('verify', underWay);
  };
  keep(10, 2_000);
  return { ask, pass, keep };
}

const admitted = ({ ask }: ReturnType<typeof admission>, underWay: number) =>
  KINDS.filter((kind) => ask(kind, underWay));

test('a burst of thousands is let in', () => {
  const { ask, pass } = admission();
  for (let underWay = 0; underWay < 3_000; underWay++) assert(ask('shorten', underWay));
  pass(900);
  assert(ask('send', 3_000));
});

test('more than can be worked off in time is not, whatever it is', () => {
  assert(!admission().ask('verify', 3_072));
});

test('many calls that are answered quickly are no overload', () => {
  const service = admission(40);
  service.keep(3_000, 5_000);
  assert.deepEqual(admitted(service, 3_000), KINDS);
});

test('what lasts a second is an overload, and what can wait is refused first', () => {
  const service = admission();
  service.keep(900, 1_100);
  assert.deepEqual(admitted(service, 180), KINDS);
  assert.deepEqual(admitted(service, 240), ['shorten', 'redirect', 'send', 'verify']);
  assert.deepEqual(admitted(service, 320), ['redirect', 'send', 'verify']);
  assert.deepEqual(admitted(service, 420), ['send', 'verify']);
  assert.deepEqual(admitted(service, 600), ['verify']);
  assert.deepEqual(admitted(service, 900), []);
});

test('a service that answers nothing still lets a few in, and hears of its recovery', () => {
  const service = admission(0);
  service.keep(400, 1_100);
  assert.deepEqual(admitted(service, 20), KINDS);
  assert.deepEqual(admitted(service, 80), ['send', 'verify']);
  assert.deepEqual(admitted(service, 170), []);
});

test('two bursts with a lull between them are no overload', () => {
  const { ask, pass, keep } = admission();
  for (let burst = 0; burst < 5; burst++) {
    keep(2_000, 900);
    assert(ask('send', 2_000));
    ask('send', 10);
    pass(900);
  }
});

test('an overload is over when nothing had to be refused for a second', () => {
  const { ask, keep } = admission();
  keep(900, 1_100);
  for (let turn = 0; turn < 20; turn++) {
    keep(100, 100);
    assert(!ask('send', 500));
  }
  keep(100, 1_100);
  assert(ask('send', 2_000), 'bursts are let in again');
});
