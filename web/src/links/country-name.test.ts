import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityName } from './country-name.ts';

test('a city is shown with the name of its country', () => {
  assert.equal(cityName('ru', 'KZ Almaty'), 'Almaty, Казахстан');
  assert.equal(cityName('en', 'KZ Petropavlovsk'), 'Petropavlovsk, Kazakhstan');
  assert.equal(cityName('en', 'RU Petropavlovsk'), 'Petropavlovsk, Russia');
  assert.equal(cityName('en', 'US San Francisco'), 'San Francisco, United States');
});

test('a value that is no city with its country stays as it is', () => {
  for (const value of ['Almaty', 'kz Almaty', 'KZ', '']) assert.equal(cityName('en', value), value);
});
