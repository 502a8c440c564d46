import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isId, lowestIdAt, newId, newRequestId, randomText, timeOfId } from './ids.ts';

test('an id is a UUIDv7 that contains its time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (nowMs) => {
      const id = newId(nowMs);
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), nowMs);
    }),
  );
});

test('ids sort by age', () => {
  const ids = [1, 1_000, 1_700_000_000_000, 1_800_000_000_000].map(newId);
  assert.deepEqual([...ids].sort(), ids);
});

test('a hundred thousand ids of one moment are all different', () => {
  const ids = new Set(Array.from({ length: 100_000 }, () => newId(1_700_000_000_000)));
  assert.equal(ids.size, 100_000);
});

test('a generated request id is also valid from a caller', () => {
  for (let i = 0; i < 1_000; i++) assert.match(newRequestId(), /^[A-Za-z0-9._-]{1,64}$/);
});

test('random text uses its alphabet evenly', () => {
  const alphabet = 'abcdefghij';
  const text = randomText(alphabet, 100_000);
  assert.equal(text.length, 100_000);
  for (const letter of alphabet) {
    const count = text.split(letter).length - 1;
    assert(Math.abs(count - 10_000) < 600, `${letter}: ${count}`);
  }
});

test('ids of a millisecond are not below its lowest, and give their time back', () => {
  for (const ms of [0, 1, 1_700_000_000_000, 2 ** 48 - 1]) {
    const id = newId(ms);
    assert(isId(id) && id >= lowestIdAt(ms));
    assert.equal(timeOfId(id).getTime(), ms);
    assert.equal(timeOfId(lowestIdAt(ms)).getTime(), ms);
    if (ms > 0) assert(lowestIdAt(ms) > newId(ms - 1));
  }
  assert.equal(lowestIdAt(-1), lowestIdAt(0));
  assert.equal(lowestIdAt(Number.POSITIVE_INFINITY), lowestIdAt(2 ** 48 - 1));
  for (const text of ['', 'x', lowestIdAt(1).slice(1), `${lowestIdAt(1)} `, 'A'.repeat(36)]) {
    assert(!isId(text));
  }
});
