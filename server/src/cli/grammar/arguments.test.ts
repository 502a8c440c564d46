import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readArguments } from './arguments.ts';
import { UsageError } from './command.ts';

const command = { options: { chat: 'text', test: 'switch' }, operands: ['ID'] } as const;

test('options and operands may come in any order', () => {
  const given = readArguments(command, ['--test', '7', '--chat', 'abc']);
  assert.deepEqual(given.operands, ['7']);
  assert.equal(given.text('chat'), 'abc');
  assert.equal(given.isOn('test'), true);
});

test('a negative number is the value of its option', () => {
  assert.equal(readArguments(command, ['7', '--chat', '-100500']).text('chat'), '-100500');
});

const refused: [string, string[], RegExp][] = [
  ['an unknown option', ['7', '--chatt', 'x'], /--chatt/],
  ['an option without its value', ['7', '--chat'], /--chat/],
  ['a switch with a value', ['7', '--test=yes'], /--test/],
  ['a missing operand', [], /ID/],
  ['one operand too many', ['7', '8'], /8/],
];

for (const [name, args, pattern] of refused) {
  test(`${name} is refused by name`, () => {
    assert.throws(
      () => readArguments(command, args),
      (error) => error instanceof UsageError && pattern.test(error.message),
    );
  });
}
