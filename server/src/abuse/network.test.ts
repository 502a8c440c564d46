import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networksOf } from './network.ts';

const namesOf = (address: string) => networksOf(address).map(({ name }) => name);

test('an IPv4 address is its own network, in every spelling', () => {
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7']) {
    assert.deepEqual(namesOf(address), ['203.0.113.7']);
  }
});

test('an IPv6 address counts for its /64 and its /48', () => {
  const expected = ['2001:db8:1:2::/64', '2001:db8:1::/48'];
  for (const address of [
    '2001:db8:1:2::',
    '2001:db8:1:2::1',
    '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff',
    '2001:db8:1:2:3:4:203.0.113.7',
    '2001:db8:1:2::1%eth0',
  ]) {
    assert.deepEqual(namesOf(address), expected, address);
  }
  assert.deepEqual(namesOf('2001:db8:1:3::1'), ['2001:db8:1:3::/64', '2001:db8:1::/48']);
  assert.deepEqual(namesOf('2001:db8::1'), ['2001:db8:0:0::/64', '2001:db8:0::/48']);
  assert.deepEqual(namesOf('::1'), ['0:0:0:0::/64', '0:0:0::/48']);
});

test('what is no address is counted as it is', () => {
  assert.deepEqual(networksOf('unknown'), [{ name: 'unknown', size: 1 }]);
  assert.deepEqual(networksOf(''), [{ name: '', size: 1 }]);
});
