import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFloodWaits } from './flood-waits.ts';

/** Waits by a clock that the test moves. */
function open() {
  let seconds = 1_000;
  const waits = createFloodWaits(() => seconds * 1_000);
  return {
    ...waits,
    pass(more: number) {
      seconds += more;
    },
  };
}

test('a chat waits as long as Telegram has asked, and no other chat does', () => {
  const { add, find, pass } = open();
  assert.equal(add('501', 7), 'chat');
  assert.deepEqual([find('501'), find('502')], ['chat', undefined]);
  pass(6.9);
  assert.equal(find('501'), 'chat');
  pass(0.1);
  assert.equal(find('501'), undefined);
});

test('the newest wait of a chat counts', () => {
  const { add, find, pass } = open();
  add('501', 60);
  pass(1);
  add('501', 2);
  pass(2);
  assert.equal(find('501'), undefined);
});

test('the same chat again and again is not the whole bot', () => {
  const { add, find } = open();
  for (let i = 0; i < 20; i++) assert.equal(add('501', 7), 'chat');
  assert.equal(find('502'), undefined);
});

test('three chats within five seconds make the whole bot wait, by the shortest of their waits', () => {
  const { add, find, pass } = open();
  assert.equal(add('501', 600), 'chat');
  pass(2.5);
  assert.equal(add('502', 4), 'chat');
  assert.equal(find('504'), undefined);
  pass(2.5);
  assert.equal(add('503', 9), 'bot');
  assert.deepEqual([find('501'), find('504')], ['bot', 'bot']);
  // The four seconds of 502, of which half have passed.
  pass(1.5);
  assert.deepEqual([find('501'), find('503'), find('504')], ['chat', 'chat', undefined]);
});

test('three chats in a longer time wait each for itself', () => {
  const { add, find, pass } = open();
  for (const chatId of ['501', '502', '503']) {
    assert.equal(add(chatId, 30), 'chat');
    pass(2.6);
  }
  assert.equal(find('504'), undefined);
});

test('waits that are over are forgotten, others are not', () => {
  const { add, find, pass } = open();
  add('long', 1_000_000);
  for (let chatId = 1; chatId <= 3_000; chatId++) {
    add(String(chatId), 1);
    pass(6);
  }
  assert.deepEqual([find('long'), find('3000')], ['chat', undefined]);
});
