import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTags } from './tags.ts';

test('tags are what stands between commas, without empty ones and without repeats', () => {
  assert.deepEqual(readTags(' Алматы,  VIP   клиенты ;; АЛМАТЫ\nосень,'), [
    'Алматы',
    'VIP клиенты',
    'осень',
  ]);
  assert.deepEqual(readTags(' , ;'), []);
});

test('no more and no longer than the server takes', () => {
  const many = Array.from({ length: 30 }, (_, number) => `т${number}`).join(',');
  assert.equal(readTags(many).length, 20);
  assert.equal(readTags('ж'.repeat(80))[0]?.length, 50);
});
