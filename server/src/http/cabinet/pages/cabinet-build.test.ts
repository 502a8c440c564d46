import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packedFor, readCabinetBuild } from './cabinet-build.ts';

const file = {
  body: Buffer.from('plain'),
  type: 'text/css; charset=utf-8',
  packed: { br: Buffer.from('br'), gzip: Buffer.from('gzip') },
};
const encodingFor = (header: string | undefined) => packedFor(file, header).encoding;

test('a browser gets the smallest form that it can read', () => {
  assert.equal(encodingFor('gzip, deflate, br, zstd'), 'br');
  assert.equal(encodingFor('gzip;q=1.0'), 'gzip');
  assert.equal(encodingFor('GZIP'), 'gzip');
});

test('what a browser refuses, or does not name, it does not get', () => {
  assert.equal(encodingFor('br;q=0, gzip'), 'gzip');
  assert.equal(encodingFor('br; q=0.000'), undefined);
  assert.equal(encodingFor('br;q=0.1'), 'br');
  assert.equal(encodingFor('brotli'), undefined);
  assert.equal(encodingFor(undefined), undefined);
  assert.equal(packedFor({ ...file, packed: {} }, 'br').body.toString(), 'plain');
});

test('a folder without a build is no build', () => {
  assert.equal(readCabinetBuild(pathToFileURL(`${import.meta.dirname}/`)), undefined);
});
