import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInstant } from './instant.ts';

for (const text of [
  '2026-11-17T09:00:00Z',
  '2026-11-17T14:00:00.123+05:00',
  '2028-02-29T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
]) {
  test(`${text} is an instant`, () => assert(isInstant(text)));
}

for (const text of [
  '',
  '2026-11-17',
  '2026-11-17T09:00:00',
  '2026-02-29T00:00:00Z',
  '2026-06-30T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '+275760-09-13T00:00:00Z',
  'infinity',
]) {
  test(`${JSON.stringify(text)} is not an instant`, () => assert(!isInstant(text)));
}
