import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLang } from './language.ts';

const CASES = [
  { asked: {}, lang: 'ru' },
  { asked: { acceptLanguage: 'kk-KZ,kk;q=0.9,ru;q=0.8' }, lang: 'kk' },
  { asked: { acceptLanguage: 'de, en-GB;q=0.5, ru;q=0.7' }, lang: 'ru' },
  { asked: { acceptLanguage: 'ru;q=0, en;q=0.1' }, lang: 'en' },
  { asked: { acceptLanguage: 'de' }, lang: 'ru' },
  { asked: { acceptLanguage: ';;q=,,*' }, lang: 'ru' },
  { asked: { query: 'en', acceptLanguage: 'kk' }, lang: 'en' },
  { asked: { query: ['en'], acceptLanguage: 'kk' }, lang: 'kk' },
  { asked: { query: '<b>' }, lang: 'ru' },
  { asked: { cookie: 'theme=dark; lang=kk', acceptLanguage: 'en' }, lang: 'kk' },
  { asked: { query: 'ru', cookie: 'lang=kk' }, lang: 'ru' },
  { asked: { cookie: 'slang=kk; lang=de', acceptLanguage: 'en' }, lang: 'en' },
] as const;

for (const { asked, lang } of CASES) {
  test(`${JSON.stringify(asked)} reads in ${lang}`, () => {
    assert.equal(chooseLang(asked), lang);
  });
}
