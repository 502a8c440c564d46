import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { readMessageId, shortMessageId } from './message-id.ts';

const ID = '019a8a0c-7a3e-7d11-8c56-0123456789ab';

test('the short form of an id names the same message', () => {
  const short = shortMessageId(ID);
  assert.match(short, /^msg_[1-9A-HJ-NP-Za-km-z]{22}$/);
  assert.equal(readMessageId(short), ID);
  for (let i = 0; i < 1_000; i++) {
    const id = randomUUID();
    assert.equal(readMessageId(shortMessageId(id)), id);
  }
});

test('the first and the last id have their own short forms', () => {
  const first = '00000000-0000-0000-0000-000000000000';
  const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  assert.equal(shortMessageId(first), 'msg_1111111111111111111111');
  assert.equal(shortMessageId(last), 'msg_YcVfxkQb6JRzqk5kF2tNLv');
  for (const id of [first, last]) assert.equal(readMessageId(shortMessageId(id)), id);
});

test('a UUID is read in any case, and what is neither form is no id', () => {
  assert.equal(readMessageId(ID.toUpperCase()), ID);
  const short = shortMessageId(ID);
  for (const text of [
    '',
    'msg_',
    short.slice(0, -1),
    `${short}1`,
    short.slice(4),
    short.replace('msg_', 'req_'),
    `msg_${'0'.repeat(22)}`,
    // One more than the last id.
    'msg_YcVfxkQb6JRzqk5kF2tNLw',
    'msg_zzzzzzzzzzzzzzzzzzzzzz',
  ]) {
    assert.equal(readMessageId(text), undefined, text);
  }
});

test('a text that is no UUID, such as the id of a link, stays as it is', () => {
  assert.equal(shortMessageId('req_abc'), 'req_abc');
});
