import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStopWord } from './stop-word.ts';

const STOPS: Readonly<Record<string, string>> = {
  'in Russian': 'СТОП',
  'in Kazakh': 'ТОҚТА',
  'in English': 'STOP',
  'the whole verb': 'ОТПИСАТЬСЯ',
  'in lower case': 'стоп',
  'with a capital letter': 'Тоқта',
  'with punctuation and spaces around': '  «Стоп»!!! ',
  'with a line break after it': 'stop\r\n',
  'as a command of a bot': '/stop',
  'without the Kazakh letter': 'токта',
  'in Latin letters': 'TOKTA',
  'in the new Latin alphabet': 'Toqta',
  'with Latin letters among Cyrillic ones': 'CTOП',
  'with Cyrillic letters among Latin ones': 'SТОP',
  'in wide letters': 'ＳＴＯＰ',
};
for (const [name, text] of Object.entries(STOPS)) {
  test(`a word ${name} stops broadcasts`, () => assert.equal(isStopWord(text), true));
}

const OTHERS: readonly unknown[] = [
  '',
  '!!!',
  'стопа',
  'не стоп',
  'Стоп-кран',
  'СТОП 1',
  'STOP STOP',
  'Остановите такси на углу, стоп',
  `${' '.repeat(40)}стоп`,
  undefined,
  null,
  7,
  { text: 'стоп' },
];
test('nothing else stops broadcasts', () => {
  assert.deepEqual(OTHERS.filter(isStopWord), []);
});
