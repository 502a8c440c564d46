import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import { timeOfId } from '../ids.ts';
import { maskTail, toQuery } from './message-query.ts';

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

const search = (text: string) => toQuery({ search: text }, now).search;

test('a search is a phone, a message id or a request id', () => {
  assert.deepEqual(search('8 (701) 123-45-67'), { phone: '77011234567' });
  const id = '019a8a0c-7a3e-7d11-8c56-0123456789ab';
  assert.deepEqual(search(` ${id.toUpperCase()} `), { id });
  assert.deepEqual(search(shortMessageId(id)), { id });
  assert.deepEqual(search('req_abc'), { requestId: 'req_abc' });
  assert.equal(search('  '), undefined);
});

const tails: Record<string, string> = {
  '4567': '4567',
  '45-67': '4567',
  '…45-67': '4567',
  '•••-45-67': '4567',
  '***4567': '4567',
  ' 0045 ': '0045',
  '123 45 67': '1234567',
  // A valid number of Saint Helena, for which nobody looks without its plus.
  '2904567': '2904567',
  '916 111-22-33': '9161112233',
  '…701 123 45 67': '7011234567',
};
for (const [text, tail] of Object.entries(tails)) {
  test(`«${text}» is looked for as the last digits of a phone, or as a request id`, () => {
    assert.deepEqual(search(text), { tail, requestId: text.trim() });
  });
}

test('three digits, a phone with a plus and words are no last digits', () => {
  assert.deepEqual(search('567'), { requestId: '567' });
  assert.deepEqual(search('7011234567'), { phone: '77011234567' });
  assert.deepEqual(search('+2904567'), { phone: '2904567' });
  assert.deepEqual(search('order-4567'), { requestId: 'order-4567' });
  assert.deepEqual(search('1'.repeat(16)), { requestId: '1'.repeat(16) });
});

test('who sees phones masked is told nothing about the digits that are hidden', () => {
  const masked = (text: string) => maskTail(toQuery({ search: text }, now)).search;
  assert.deepEqual(masked('34567'), { tail: '4567', requestId: '34567' });
  assert.deepEqual(masked('4567'), { tail: '4567', requestId: '4567' });
  assert.deepEqual(masked('req_1'), { requestId: 'req_1' });
});
