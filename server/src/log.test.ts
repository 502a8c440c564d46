import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeError } from './log.ts';

test('a value that the database quotes is not logged', () => {
  const error = Object.assign(new Error('invalid input syntax for type uuid: "77011234567"'), {
    code: '22P02',
  });
  const text = JSON.stringify(describeError(error));
  assert(!text.includes('77011234567'), text);
  assert(text.includes('invalid input syntax for type uuid'), text);
});

test('a constraint that the database quotes is logged', () => {
  const error = Object.assign(new Error('violates check constraint "balance_not_negative"'), {
    code: '23514',
  });
  assert(JSON.stringify(describeError(error)).includes('balance_not_negative'));
});
