import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmission } from './shed-load.ts';

/** An admission whose clock the test moves; `overload` brings it into that state. */
function admission() {
  let nowMs = 0;
  const isAdmitted = createAdmission(() => nowMs);
  return {
    isAdmitted,
    pass(ms: number) {
      nowMs += ms;
    },
    overload() {
      isAdmitted('send', 2_000);
      nowMs += 1_000;
      isAdmitted('send', 2_000);
    },
  };
}

test('a burst of thousands is let in', () => {
  const { isAdmitted, pass } = admission();
  for (let pending = 0; pending < 3_000; pending++) assert(isAdmitted('shorten', pending));
  pass(999);
  assert(isAdmitted('send', 3_000));
});

test('more than can be worked off in time is not, whatever it is', () => {
  assert(!admission().isAdmitted('verify', 3_072));
});

test('what lasts a second is an overload, and what can wait is refused first', () => {
  const { isAdmitted, overload } = admission();
  overload();
  const admitted = (pending: number) =>
    (['page', 'shorten', 'redirect', 'send', 'verify'] as const).filter((kind) =>
      isAdmitted(kind, pending),
    );
  assert.deepEqual(admitted(100), ['page', 'shorten', 'redirect', 'send', 'verify']);
  assert.deepEqual(admitted(270), ['shorten', 'redirect', 'send', 'verify']);
  assert.deepEqual(admitted(300), ['redirect', 'send', 'verify']);
  assert.deepEqual(admitted(330), ['send', 'verify']);
  assert.deepEqual(admitted(400), ['verify']);
  assert.deepEqual(admitted(800), []);
});

test('two bursts with a lull between them are no overload', () => {
  const { isAdmitted, pass } = admission();
  for (let burst = 0; burst < 5; burst++) {
    isAdmitted('send', 2_000);
    pass(900);
    assert(isAdmitted('send', 2_000));
    isAdmitted('send', 10);
    pass(900);
  }
});

test('an overload is over when nothing had to be refused for a second', () => {
  const { isAdmitted, pass, overload } = admission();
  overload();
  for (let turn = 0; turn < 20; turn++) {
    assert(isAdmitted('send', 350));
    pass(90);
    assert(!isAdmitted('send', 352));
  }
  isAdmitted('send', 350);
  pass(1_000);
  assert(isAdmitted('send', 350));
  assert(isAdmitted('send', 2_000), 'bursts are let in again');
});
