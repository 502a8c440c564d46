import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Env, languageOf } from './language.ts';

const cases: [string, Env, string][] = [
  ['nothing set', {}, 'en'],
  ['plain C', { LANG: 'C.UTF-8' }, 'en'],
  ['Russian', { LANG: 'ru_RU.UTF-8' }, 'ru'],
  ['Kazakh', { LANG: 'kk_KZ.UTF-8' }, 'ru'],
  ['a language that only begins alike', { LANG: 'rue_UA' }, 'en'],
  ['LC_ALL before LANG', { LC_ALL: 'en_US.UTF-8', LANG: 'ru_RU.UTF-8' }, 'en'],
  ['an empty LC_ALL', { LC_ALL: '', LANG: 'ru' }, 'ru'],
];

for (const [name, env, expected] of cases) {
  test(`${name}: ${expected}`, () => assert.equal(languageOf(env), expected));
}
