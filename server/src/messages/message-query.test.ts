import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOfId } from '../ids.ts';
import { toQuery } from './message-query.ts';

// 01:30 on 16 November in Almaty.
const now = new Date('2026-11-15T20:30:00Z');
const from = (range: 'hour' | 'today' | 'yesterday' | '7d' | '30d') =>
  timeOfId(toQuery({ range }, now).fromId).toISOString();

test('named ranges are days of Almaty', () => {
  assert.equal(from('hour'), '2026-11-15T19:30:00.000Z');
  assert.equal(from('today'), '2026-11-15T19:00:00.000Z');
  assert.equal(from('yesterday'), '2026-11-14T19:00:00.000Z');
  assert.equal(from('7d'), '2026-11-09T19:00:00.000Z');
  assert.equal(from('30d'), '2026-10-17T19:00:00.000Z');
  const yesterday = toQuery({ range: 'yesterday' }, now);
  assert.equal(timeOfId(yesterday.toId).toISOString(), '2026-11-15T19:00:00.000Z');
});

test('without a range every id is inside, whatever the clock of the node that made it', () => {
  const { fromId, toId } = toQuery({}, now);
  assert.equal(fromId, '00000000-0000-0000-0000-000000000000');
  assert.equal(toId, 'ffffffff-ffff-0000-0000-000000000000');
});

test('a search is a phone, a message id or a request id', () => {
  const search = (text: string) => toQuery({ search: text }, now).search;
  assert.deepEqual(search('8 (701) 123-45-67'), { phone: '77011234567' });
  const id = '019a8a0c-7a3e-7d11-8c56-0123456789ab';
  assert.deepEqual(search(` ${id.toUpperCase()} `), { id });
  assert.deepEqual(search('req_abc'), { requestId: 'req_abc' });
  assert.equal(search('  '), undefined);
});
