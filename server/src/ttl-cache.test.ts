import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTtlCache } from './ttl-cache.ts';

function counted(options: { ttlMs?: number; entriesMax?: number; fails?: () => boolean } = {}) {
  const asked: string[] = [];
  const cache = createTtlCache({
    ttlMs: options.ttlMs ?? 1_000,
    entriesMax: options.entriesMax ?? 10,
    load: async (key: string) => {
      asked.push(key);
      if (options.fails?.()) throw new Error('away');
      return `${key} ${asked.length}`;
    },
  });
  return { cache, asked };
}

test('many who ask together ask once', async () => {
  const { cache, asked } = counted();
  const values = await Promise.all(Array.from({ length: 100 }, () => cache.get('a')));
  assert.deepEqual(new Set(values), new Set(['a 1']));
  assert.deepEqual(asked, ['a']);
});

test('what is remembered is looked up again after its time', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { cache, asked } = counted({ ttlMs: 800 });
  await cache.get('a');
  now = 799;
  assert.equal(await cache.get('a'), 'a 1');
  now = 801;
  assert.equal(await cache.get('a'), 'a 2');
  assert.equal(asked.length, 2);
});

test('a failed look-up is not remembered', async () => {
  let isAway = true;
  const { cache, asked } = counted({ fails: () => isAway });
  await assert.rejects(cache.get('a'), /away/);
  isAway = false;
  assert.equal(await cache.get('a'), 'a 2');
  assert.equal(asked.length, 2);
});

test('it never holds more than its limit', async () => {
  const { cache, asked } = counted({ entriesMax: 3 });
  for (const key of ['a', 'b', 'c', 'd']) await cache.get(key);
  await cache.get('a');
  assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'a']);
});

test('different keys are different things', async () => {
  const { cache } = counted();
  assert.notEqual(await cache.get('a'), await cache.get('b'));
});
