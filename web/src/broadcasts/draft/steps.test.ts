import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstOpenStep, isDone, numberOf, STEPS, stepOf, stepOfObstacle } from './steps.ts';

const CHECKED = {
  send: 2,
  duplicate: 0,
  invalid: 1,
  cannot_receive: 0,
  other_country: 0,
  unsubscribed: 0,
  no_consent: 0,
};

test('every step has its number in the address, and nothing else is a step', () => {
  assert.deepEqual(STEPS.map(numberOf), ['1', '2', '3', '4', '5']);
  assert.equal(stepOf('2'), 'check');
  for (const text of ['', '0', '6', '02', 'check']) assert.equal(stepOf(text), undefined);
});

test('a draft opens at the first step with something left to do', () => {
  const fresh = { rows: { verdicts: null }, obstacles: ['no_recipients', 'no_text'] as const };
  assert.equal(firstOpenStep({ ...fresh, obstacles: [...fresh.obstacles] }), 'recipients');
  const rows = { verdicts: CHECKED };
  assert.equal(firstOpenStep({ rows, obstacles: ['no_recipients'] }), 'check');
  assert.equal(firstOpenStep({ rows, obstacles: ['no_text', 'no_channel'] }), 'text');
  assert.equal(firstOpenStep({ rows, obstacles: ['no_channel'] }), 'sending');
  assert.equal(firstOpenStep({ rows, obstacles: [] }), 'summary');
});

test('when no row of a file is fit, the rows are where it is put right', () => {
  assert.equal(stepOfObstacle('no_recipients', { rows: { verdicts: null } }), 'recipients');
  assert.equal(stepOfObstacle('no_recipients', { rows: { verdicts: CHECKED } }), 'check');
});

test('rows that were not checked leave the check undone, and the summary is never done', () => {
  assert.equal(isDone('check', { rows: { verdicts: null }, obstacles: [] }), false);
  assert.equal(isDone('summary', { rows: { verdicts: CHECKED }, obstacles: [] }), false);
});
