import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packedFor } from './built-pages.ts';
import { isKnown } from './etag.ts';

const file = {
  body: Buffer.from('plain'),
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

test('a browser that names the ETag has the file already', () => {
  assert.ok(isKnown('W/"a"', 'W/"a"'));
  assert.ok(isKnown('"a"', 'W/"a"'));
  assert.ok(isKnown('W/"b", W/"a"', 'W/"a"'));
  assert.ok(!isKnown('W/"b"', 'W/"a"'));
  assert.ok(!isKnown(undefined, 'W/"a"'));
});
