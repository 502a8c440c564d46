import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '168.63.129.17',
  '2606:4700:4700::1111',
  '2a00:1450:4010:c0e::8a',
  '2400:cb00::1',
];

const NOT_PUBLIC = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:a9fe:a9fe::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  // What is no address at all, although some parsers read an address from it.
  '',
  'localhost',
  '2130706433',
  '0x7f.1',
  '127.1',
  '8.8.8.8 ',
  '8.8.8.8:443',
];

test('a public address of a host is recognised, up to the edges of the ranges beside it', () => {
  assert.deepEqual(
    PUBLIC.filter((address) => !isPublicAddress(address)),
    [],
  );
});

test('no special-purpose, private or malformed address is public', () => {
  assert.deepEqual(NOT_PUBLIC.filter(isPublicAddress), []);
});

test('loopback is 127.0.0.0/8 and ::1, and nothing that only looks like it', () => {
  assert.deepEqual(
    ['127.0.0.1', '127.8.8.8', '::1', '::2', '128.0.0.1', '10.0.0.1', 'localhost', '::'].filter(
      isLoopbackAddress,
    ),
    ['127.0.0.1', '127.8.8.8', '::1'],
  );
});
