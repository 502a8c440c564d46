import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createProviderState } from './provider-state.ts';

function createState() {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line.trim()) });
  let nowMs = Date.UTC(2026, 0, 1);
  const state = createProviderState({ name: 'smpp-2', log, clock: { now: () => new Date(nowMs) } });
  return { state, lines, passMinute: () => (nowMs += 60_000) };
}

test('each change of a state is logged once, with its reason', () => {
  const { state, lines } = createState();
  assert.equal(state.read().isUp, false);
  for (let i = 0; i < 3; i++) state.set(false, 'It cannot be reached.');
  state.set(false, 'The password is wrong.');
  state.set(true, 'Bound.');
  state.set(true, 'Bound.');
  state.set(false, 'It closed the connection.');
  assert.deepEqual(lines, [
    '{"level":50,"provider":"smpp-2","why":"It cannot be reached.","msg":"provider is down"}',
    '{"level":50,"provider":"smpp-2","why":"The password is wrong.","msg":"provider is down"}',
    '{"level":30,"provider":"smpp-2","why":"Bound.","msg":"provider is up"}',
    '{"level":50,"provider":"smpp-2","why":"It closed the connection.","msg":"provider is down"}',
  ]);
});

test('a state knows since when it is up or down, whatever the reason', () => {
  const { state, passMinute } = createState();
  const start = state.read().since.toISOString();
  passMinute();
  state.set(false, 'It cannot be reached.');
  assert.equal(state.read().since.toISOString(), start);
  state.set(true, 'Bound.');
  assert.equal(state.read().since.toISOString(), '2026-01-01T00:01:00.000Z');
  passMinute();
  state.set(true, '2 of 3 binds are up.');
  assert.equal(state.read().since.toISOString(), '2026-01-01T00:01:00.000Z');
  assert.equal(state.read().detail, '2 of 3 binds are up.');
});
