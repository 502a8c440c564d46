import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Presence } from './presence.ts';
import { type Supervised, supervise } from './supervise.ts';

/** A presence that is lost when the test says so. */
function fakePresence() {
  let lose = () => {};
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  return { presence: { lost } as Presence, lose };
}

function supervised(restart: Supervised['restart']) {
  const first = fakePresence();
  const lines: string[] = [];
  const supervision = supervise({
    presence: first.presence,
    restart,
    log: (line, level) => lines.push(`${level}: ${line}`),
  });
  return { supervision, lose: first.lose, lines };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('the first restart is tried at once, the next ones after pauses that double', async () => {
  const tries: number[] = [];
  const back = fakePresence().presence;
  const { supervision, lose, lines } = supervised(async () => {
    tries.push(performance.now());
    if (tries.length < 5) throw new Error('The reason.');
    return { presence: back, joined: false };
  });
  assert.equal(supervision.presence()?.lost instanceof Promise, true);
  const lostAt = performance.now();
  lose();
  while (supervision.presence() !== back) await nextTurn();
  const gaps = tries.map((at, i) => at - (tries[i - 1] ?? lostAt));
  for (const [i, least] of [0, 100, 200, 400, 800].entries()) {
    assert.ok((gaps[i] ?? 0) >= least - 2, `try ${i + 1} came after ${gaps[i]} ms`);
  }
  assert.equal(lines.length, 5);
  assert.match(lines[2] ?? '', /^error: PostgreSQL has been away for .* in 0\.4 s\. The reason\.$/);
  assert.match(lines[4] ?? '', /^warn: PostgreSQL died and was restarted after \d+\.\d s\.$/);
  await supervision.end();
});

test('a server that keeps dying is restarted with a growing back-off', async () => {
  const tries: number[] = [];
  const lives = Array.from({ length: 4 }, fakePresence);
  const { supervision, lose } = supervised(async () => {
    const life = lives[tries.length] as ReturnType<typeof fakePresence>;
    tries.push(performance.now());
    return { presence: life.presence, joined: false };
  });
  lose();
  for (const life of lives) {
    while (supervision.presence() !== life.presence) await nextTurn();
    life.lose();
    await nextTurn();
  }
  await supervision.end();
  for (const [i, least] of [100, 200, 400].entries()) {
    const gap = (tries[i + 1] ?? 0) - (tries[i] ?? 0);
    assert.ok(gap >= least - 2, `it was brought back after ${gap} ms`);
  }
});

test('after the end nothing is restarted, and a restart under way is awaited', async () => {
  let finish = () => {};
  const back = fakePresence();
  const { supervision, lose } = supervised(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return { presence: back.presence, joined: false };
  });
  lose();
  await nextTurn();
  assert.equal(supervision.presence(), undefined, 'away');
  const ended = supervision.end();
  finish();
  await ended;
  assert.equal(supervision.presence(), back.presence, 'somebody has to leave it in order');
  back.lose();
  await nextTurn();
  assert.equal(supervision.presence(), back.presence);
});
