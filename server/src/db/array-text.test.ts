import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { arrayText } from './array-text.ts';

const TEXT_ARRAY_OID = 1009;
const BYTEA_ARRAY_OID = 1001;

/** As a server sends a list back, so read by a foreign reader. */
const read = (oid: number, text: string) => pg.types.getTypeParser(oid, 'text')(text) as unknown;

test('a list is written as PostgreSQL writes it', () => {
  assert.equal(arrayText([]), '{}');
  assert.equal(arrayText([1, -2, null, undefined]), '{1,-2,NULL,NULL}');
  assert.equal(arrayText([true, false]), '{true,false}');
  assert.equal(arrayText(['a', '', 'NULL', '{,}']), '{"a","","NULL","{,}"}');
  assert.equal(arrayText(['"', '\\', '\\"\\']), String.raw`{"\"","\\","\\\"\\"}`);
  assert.equal(arrayText([Buffer.from([0, 255])]), String.raw`{"\\x00ff"}`);
});

test('any text and any bytes come back as they were', () => {
  const texts = fc.array(fc.option(fc.string({ unit: 'binary' })));
  fc.assert(
    fc.property(texts, (values) => {
      assert.deepEqual(read(TEXT_ARRAY_OID, arrayText(values) as string), values);
    }),
    { numRuns: 40 },
  );
  const bytes = fc.array(fc.uint8Array().map((each) => Buffer.from(each)));
  fc.assert(
    fc.property(bytes, (values) => {
      assert.deepEqual(read(BYTEA_ARRAY_OID, arrayText(values) as string), values);
    }),
    { numRuns: 40 },
  );
});

test('what only the driver can write is left to it', () => {
  assert.equal(arrayText([new Date(0)]), undefined);
  assert.equal(arrayText([[1], [2]]), undefined);
  assert.equal(arrayText([{}]), undefined);
});
