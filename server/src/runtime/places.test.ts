import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlaces } from './places.ts';

test('an owner has its share at most, and leaves the rest to others', () => {
  const places = createPlaces<string>({ all: 3, each: 2 });
  const first = places.take('a');
  const second = places.take('a');
  assert.equal(places.take('a'), undefined);
  const other = places.take('b');
  assert.ok(first && second && other);
  assert.equal(places.take('c'), undefined, 'all are taken');

  first();
  first();
  assert.ok(places.take('c'), 'one is free');
  assert.equal(places.take('c'), undefined, 'and only one, however often it was released');
  second();
  other();
  assert.ok(places.take('a'));
  assert.ok(places.take('b'));
});
