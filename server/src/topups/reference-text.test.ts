import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { foldReference, indexReferences } from './reference-text.ts';

describe('a reference is found', () => {
  const index = indexReferences([{ reference: 'ZB-7K3M9QXW' }, { reference: 'ZB-HEKACTO2' }]);
  const found = (text: string) => index.findIn(text).map(({ reference }) => reference);
  const TEXTS = [
    'Оплата по заказу ZB-7K3M9QXW, без НДС',
    'zb-7k3m9qxw',
    'ZB 7K3M 9QXW',
    'ZB7K3M9QXW.',
    'Z B - 7 K 3 M 9 Q X W',
    // Cyrillic В, К, З, М, Х.
    'ZВ-7КЗМ9QХW',
    'ＺＢ-７Ｋ３Ｍ９ＱＸＷ',
  ];
  for (const text of TEXTS) {
    test(`in "${text}"`, () => assert.deepEqual(found(text), ['ZB-7K3M9QXW']));
  }
  test('in Cyrillic alone, and with O for a zero', () => {
    assert.deepEqual(found('zв-некасто2'), ['ZB-HEKACTO2']);
    assert.deepEqual(found('ZB-HEKACT02'), ['ZB-HEKACTO2']);
  });
  test('nowhere else', () => {
    assert.deepEqual(found('Оплата по счёту 7K3M9QX'), []);
    assert.deepEqual(found(''), []);
    assert.equal(foldReference('5, ₸ — ә'), '5');
  });
  test('twice when two are named, and the longer of two that overlap', () => {
    const both = indexReferences([{ reference: 'ZB-1111' }, { reference: 'ZB-1111-22' }]);
    assert.equal(both.findIn('zb111122').length, 1);
    assert.equal(both.findIn('zb1111 и ZB-1111-22')[0]?.reference, 'ZB-1111-22');
    assert.equal(found('ZB-7K3M9QXW и ZB-HEKACTO2').length, 2);
  });
});
