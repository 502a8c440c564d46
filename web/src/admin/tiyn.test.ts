import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTiyn } from './tiyn.ts';

const READ: Record<string, number | undefined> = {
  '5,50': 550,
  '5.5': 550,
  '5': 500,
  '0': 0,
  '0,05': 5,
  '1 234,5': 123_450,
  '5,555': undefined,
  '-1': undefined,
  '5,': undefined,
  ',5': undefined,
  '1e3': undefined,
  '': undefined,
  пять: undefined,
};

for (const [text, tiyn] of Object.entries(READ)) {
  test(`“${text}” is ${tiyn ?? 'no amount'}`, () => assert.equal(readTiyn(text), tiyn));
}
