import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReserved, newSlug, SLUG_FORM } from './slug.ts';

test('a generated name is 8 characters that cannot be misread, each about as often', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 20_000; i++) {
    const slug = newSlug();
    assert.match(slug, /^[2-9A-HJ-NP-Za-kmnop-z]{8}$/);
    assert.match(slug, SLUG_FORM);
    assert.doesNotMatch(slug, /[0O1lI]/);
    for (const letter of slug) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  const expected = 160_000 / counts.size;
  assert.equal(counts.size, 57);
  for (const [letter, count] of counts) {
    assert(Math.abs(count - expected) < expected * 0.15, `${letter}: ${count}`);
  }
});

for (const name of ['ab', 'a1', 'spring-sale', 'A_b-9', 'a'.repeat(64), '00']) {
  test(`${name.slice(0, 20)} may be a name`, () => assert.match(name, SLUG_FORM));
}
for (const name of [
  '',
  'a',
  '-ab',
  'ab-',
  '_a',
  'a_',
  'a b',
  'a/b',
  'а-б',
  'a.b',
  'a'.repeat(65),
]) {
  test(`${JSON.stringify(name.slice(0, 20))} may not be a name`, () => {
    assert.doesNotMatch(name, SLUG_FORM);
  });
}

test('names of pages are reserved in any case', () => {
  for (const name of ['api', 'API', 'Docs', 'health', 'try', 'robots', 'status', 'zhiber']) {
    assert(isReserved(name), name);
  }
  assert(!isReserved('apis'));
  assert(!isReserved(newSlug()));
});
