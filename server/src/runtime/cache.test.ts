import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLazy, createTtlCache, createVersionedCache } from './cache.ts';

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

test('concurrent look-ups of one key load once', async () => {
  const { cache, asked } = counted();
  const values = await Promise.all(Array.from({ length: 100 }, () => cache.get('a')));
  assert.deepEqual(new Set(values), new Set(['a 1']));
  assert.deepEqual(asked, ['a']);
});

test('a cached value is loaded again after its TTL', async (t) => {
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

test('a failed load is not cached', async () => {
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

test('each key has its own value', async () => {
  const { cache } = counted();
  assert.notEqual(await cache.get('a'), await cache.get('b'));
});

test('a lazy value is loaded once for concurrent callers', async () => {
  let loads = 0;
  const get = createLazy(async () => ++loads);
  assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
  assert.equal(await get(), 1);
});

test('a failed load fails its callers, and is retried by the next', async () => {
  let loads = 0;
  const get = createLazy(async () => {
    loads += 1;
    if (loads === 1) throw new Error('away');
    return loads;
  });
  const outcomes = await Promise.allSettled([get(), get()]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await get(), 2);
});

function versioned(t: TestContext) {
  const world = { now: 0, version: 1, value: 'a', versionsRead: 0, loads: 0 };
  t.mock.method(performance, 'now', () => world.now);
  const cache = createVersionedCache<string, string | undefined>({
    ttlMs: 800,
    entriesMax: 10,
    readVersion: async () => {
      world.versionsRead += 1;
      return world.version;
    },
    load: async () => {
      world.loads += 1;
      return world.value === 'nothing' ? undefined : world.value;
    },
    lasts: (value) => value !== 'brief',
  });
  return { cache, world };
}

test('while nothing changes, only the version is read, however many keys are cached', async (t) => {
  const { cache, world } = versioned(t);
  for (let at = 0; at < 5; at++) {
    world.now += 800;
    for (const key of ['x', 'y', 'z']) assert.equal(await cache.get(key), 'a');
  }
  assert.deepEqual([world.versionsRead, world.loads], [5, 3]);
});

test('a change is seen as soon as the version is read again', async (t) => {
  const { cache, world } = versioned(t);
  await cache.get('x');
  Object.assign(world, { value: 'b', version: 2, now: 799 });
  assert.equal(await cache.get('x'), 'a');
  world.now = 800;
  assert.equal(await cache.get('x'), 'b');
});

test('a value loaded before the version was read is loaded again', async (t) => {
  const { cache, world } = versioned(t);
  world.now = 700;
  await cache.get('x');
  Object.assign(world, { value: 'b', version: 2, now: 1_500 });
  assert.equal(await cache.get('x'), 'b');
});

for (const value of ['brief', 'nothing']) {
  test(`"${value}" is loaded again after its TTL, without any change`, async (t) => {
    const { cache, world } = versioned(t);
    world.value = value;
    await cache.get('x');
    await cache.get('x');
    assert.equal(world.loads, 1);
    world.now = 800;
    await cache.get('x');
    assert.equal(world.loads, 2);
  });
}

test('a version that cannot be read fails the look-up, and is read again', async (t) => {
  const { cache, world } = versioned(t);
  await cache.get('x');
  world.now = 800;
  Object.defineProperty(world, 'version', {
    get: () => {
      throw new Error('away');
    },
    configurable: true,
  });
  await assert.rejects(cache.get('x'), /away/);
  Object.defineProperty(world, 'version', { value: 1 });
  assert.equal(await cache.get('x'), 'a');
});
