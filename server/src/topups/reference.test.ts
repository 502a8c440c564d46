import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newReference } from './reference.ts';

test('a reference has no characters that are taken for another', () => {
  const references = Array.from({ length: 1_000 }, newReference);
  const letters = new Set(references.flatMap((text) => [...text.slice(3)]));
  assert.deepEqual([...letters].toSorted().join(''), '34679ACDEFGHJKMNPQRTWXY');
  for (const text of references) assert.match(text, /^ZB-.{8}$/);
  assert.equal(new Set(references).size, 1_000);
});
