import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CABINET_ERRORS } from '@zhiber/contract/cabinet/errors.ts';
import { errors as en } from './en/errors.ts';
import { errors as kk } from './kk/errors.ts';
import { errors as ru } from './ru/errors.ts';

test('every error of the cabinet has a text in each language', () => {
  for (const [lang, { codes }] of Object.entries({ ru, kk, en })) {
    const missing = Object.keys(CABINET_ERRORS).filter((code) => !(code in codes));
    assert.deepEqual(missing, [], lang);
  }
});
