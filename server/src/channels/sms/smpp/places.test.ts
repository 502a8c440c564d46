import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPlaces } from './places.ts';

const placesOf = (host: string, systemId = 'zhiber') => listPlaces({ host, systemId, port: 2_775 });

test('hosts are separated by commas, each with a port of its own or the usual one', () => {
  const places = placesOf('smsc.example, b.example:2776,10.0.0.1,[::1]:3550,::1,[::1]');
  assert.deepEqual(
    places.map(({ host, port, text }) => [host, port, text]),
    [
      ['smsc.example', 2_775, 'smsc.example:2775'],
      ['b.example', 2_776, 'b.example:2776'],
      ['10.0.0.1', 2_775, '10.0.0.1:2775'],
      ['::1', 3_550, '[::1]:3550'],
      ['::1', 2_775, '[::1]:2775'],
      ['::1', 2_775, '[::1]:2775'],
    ],
  );
});

test('the tag of a centre stays the same: ids that were given before still belong to it', () => {
  // The first digits of `printf 'smsc.example:2775 zhiber' | sha256sum` and so on.
  const tags = placesOf('smsc.example,b.example:2776,::1').map(({ tag }) => tag);
  assert.deepEqual(tags, ['6d3e3097', '4909c594', '3600363c']);
});

test('another host, port or name has another tag', () => {
  const tags = [
    ...placesOf('smsc.example,smsc.example:2776,b.example'),
    ...placesOf('smsc.example', 'other'),
  ].map(({ tag }) => tag);
  assert.equal(new Set(tags).size, 4);
});
