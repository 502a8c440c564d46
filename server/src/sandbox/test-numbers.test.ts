import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type { Phone } from '../phone.ts';
import {
  type Behaviour,
  behaviourOf,
  findTestNumber,
  NO_INTERFERENCE,
  type Switches,
} from './test-numbers.ts';

const number = (last: string) => `7700000000${last}` as Phone;

/** What each channel does with a number of a test key, in the order of the channels. */
function does(phone: Phone, switches: Switches = NO_INTERFERENCE): string[] {
  return CHANNELS.map((channel: Channel) => {
    const behaviour: Behaviour = behaviourOf(channel, findTestNumber(phone, true), switches);
    if (behaviour.does === 'accept') return behaviour.confirms ? 'accept' : 'accept silently';
    return behaviour.does;
  });
}

const table: [string, string[]][] = [
  ['0', ['accept', 'accept', 'accept']],
  ['1', ['refuse', 'accept', 'accept']],
  ['2', ['accept silently', 'accept', 'accept']],
  ['3', ['accept_then_fail', 'accept_then_fail', 'accept_then_fail']],
  ['4', ['refuse', 'refuse', 'refuse']],
  ['7', ['hang', 'accept', 'accept']],
  ['8', ['accept', 'accept', 'accept']],
  ['9', ['accept', 'accept', 'accept']],
];
for (const [last, expected] of table) {
  test(`+7 700 000 00 0${last}: ${expected.join(', ')}`, () => {
    assert.deepEqual(does(number(last)), expected);
  });
}

test('with a live key no number is special', () => {
  for (let last = 0; last <= 9; last++) {
    assert.equal(findTestNumber(number(String(last)), false), undefined);
  }
});

test('each test number has its own behaviour, and no other number has one', () => {
  const meanings = Array.from({ length: 9 }, (_, i) => findTestNumber(number(String(i)), true));
  assert.equal(new Set(meanings).size, 9);
  assert(!meanings.includes(undefined));
  for (const phone of ['77000000009', '77000000010', '77011234567']) {
    assert.equal(findTestNumber(phone as Phone, true), undefined);
  }
});

test('a switch works on its channel for every number', () => {
  const other = number('9');
  assert.deepEqual(does(other, { ...NO_INTERFERENCE, noWhatsapp: true })[0], 'refuse');
  assert.deepEqual(does(other, { ...NO_INTERFERENCE, noTelegram: true })[1], 'refuse');
  assert.deepEqual(does(other, { ...NO_INTERFERENCE, notMobile: true })[2], 'refuse');
  assert.deepEqual(
    does(other, { ...NO_INTERFERENCE, offline: true }),
    CHANNELS.map(() => 'accept silently'),
  );
});
