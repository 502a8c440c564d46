import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSenderName } from './sender-name.ts';

const good = ['Abc', 'Magnum', 'My Shop', 'shop.kz', 'A-1_b', '24abc', 'ABCDEFGHIJK'];
const bad = [
  ['two characters', 'Ab'],
  ['twelve characters', 'ABCDEFGHIJKL'],
  ['digits alone', '12345'],
  ['no letter', '1.2-3'],
  ['Cyrillic letters', 'Магнум'],
  ['a Cyrillic letter that looks Latin', 'Mаgnum'],
  ['a space at the end', 'Shop '],
  ['a space at the beginning', ' Shop'],
  ['a line break', 'Sho\np'],
  ['a line break at the end', 'Shop\n'],
  ['another character', 'Shop&Co'],
] as const;

for (const name of good) {
  test(`${name} is a sender name`, () => assert.equal(isSenderName(name), true));
}
for (const [what, name] of bad) {
  test(`${what} is no sender name`, () => assert.equal(isSenderName(name), false));
}
