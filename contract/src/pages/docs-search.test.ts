import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchEntry } from './docs.ts';
import { searchDocs } from './docs-search.ts';

const entry = (url: string, heading: string, text: string): SearchEntry => ({
  url,
  page: 'Документация',
  heading,
  text,
});

const ENTRIES = [
  entry('/a', 'Отправить код', 'Сообщение придёт в WhatsApp. Ещё один способ — SMS.'),
  entry('/b', 'Лимиты', 'Сколько сообщений можно отправить за час. Код действует 300 секунд.'),
  entry('/c', 'Кілтті ауыстыру', 'API кілті кабинетте ауыстырылады.'),
  entry('/d', 'insufficient_tokens', 'Недостаточно токенов. Пополните баланс.'),
];

const urls = (query: string) => searchDocs(ENTRIES, query, 10).map((result) => result.entry.url);

test('a word is found by its beginning and in another form, in Russian and in Kazakh', () => {
  const expected: Record<string, string[]> = {
    сообщ: ['/a', '/b'],
    сообщениями: ['/a', '/b'],
    коды: ['/a', '/b'],
    'ЕЩЕ способ': ['/a'],
    кілттерді: ['/c'],
    ауыстырамыз: ['/c'],
    insufficient: ['/d'],
    баланса: ['/d'],
    'сообщение баланс': [],
    'нет такого слова': [],
    '  ': [],
    '()*': [],
  };
  for (const [query, found] of Object.entries(expected)) {
    assert.deepEqual(urls(query).toSorted(), found, query);
  }
});

test('a heading counts for more than the text', () => {
  assert.deepEqual(urls('код'), ['/a', '/b']);
  assert.deepEqual(urls('отправить'), ['/a', '/b']);
});

test('a page whose title is asked for comes before a heading of another', () => {
  const page = { url: '/limits', page: 'Лимиты', heading: '', text: 'Частота запросов' };
  const other = { url: '/groups#limits', page: 'Группы', heading: 'Лимиты и цена', text: '' };
  const results = searchDocs([other, page], 'лимиты', 10);
  assert.deepEqual(
    results.map((result) => result.entry.url),
    ['/limits', '/groups#limits'],
  );
});

test('a code of an error is not shortened like a word', () => {
  assert.deepEqual(urls('insufficient_balance'), []);
});

test('the excerpt is a piece of the text around the first match, with the match marked', () => {
  const long = entry(
    '/long',
    '',
    `${'Начало текста. '.repeat(20)}Здесь сообщение. ${'Конец. '.repeat(40)}`,
  );
  const [result] = searchDocs([long], 'сообщения', 10);
  const text = result?.excerpt.map((part) => part.text).join('') ?? '';
  assert.match(text, /^… .*Здесь сообщение\. Конец\..* …$/);
  assert.ok(text.length < 200, text);
  assert.deepEqual(
    result?.excerpt.filter((part) => part.isMatch).map((part) => part.text),
    ['сообщение'],
  );
});
