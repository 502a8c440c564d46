import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPlace, placeByKey } from './next-place.ts';

test('arrows move through a menu and around its ends', () => {
  assert.equal(nextPlace(0, 1, 3), 1);
  assert.equal(nextPlace(2, 1, 3), 0);
  assert.equal(nextPlace(0, -1, 3), 2);
});

test('the first arrow goes to the first item, or upwards to the last', () => {
  assert.equal(nextPlace(-1, 1, 3), 0);
  assert.equal(nextPlace(-1, -1, 3), 2);
});

test('Home, End and the first letter move through a menu', () => {
  const labels = ['Профиль', 'Светлая', 'Тёмная', ' Тема'];
  assert.equal(placeByKey('End', 0, labels), 3);
  assert.equal(placeByKey('Home', 2, labels), 0);
  assert.equal(placeByKey('т', 0, labels), 2);
  assert.equal(placeByKey('Т', 2, labels), 3, 'the same letter goes on to the next one');
  assert.equal(placeByKey('т', 3, labels), 2, 'and around the end');
  assert.equal(placeByKey('я', 0, labels), undefined);
  assert.equal(placeByKey('Tab', 0, labels), undefined);
});
