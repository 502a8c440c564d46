import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasLink, insertAt, templateVariables, variableOf } from './text-variables.ts';

test('a variable is inserted in place of what is selected', () => {
  const text = 'Здравствуйте, клиент!';
  assert.deepEqual(insertAt(text, variableOf('имя'), { start: 14, end: 20 }), {
    text: 'Здравствуйте, {{имя}}!',
    cursor: 21,
  });
});

test('a link is kept apart from the word before it', () => {
  assert.deepEqual(insertAt('Скидка', ':link', { start: 6, end: 6 }), {
    text: 'Скидка :link',
    cursor: 12,
  });
  assert.equal(insertAt('Скидка ', ':link', { start: 7, end: 7 }).text, 'Скидка :link');
  assert.equal(insertAt('', ':link', { start: 0, end: 0 }).text, ':link');
});

test('a link is asked for by its whole word alone', () => {
  assert.equal(hasLink('Смотрите :link.'), true);
  assert.equal(hasLink('Смотрите :linkке'), true, 'as it is sent');
  assert.equal(hasLink('Смотрите {{:link}}'), false);
  assert.equal(hasLink('Без ссылки'), false);
});

test('a template has as many variables as its highest number', () => {
  assert.equal(templateVariables('Здравствуйте, {{1}}! {{3}} до {{ 2 }}, {{1}}.'), 3);
  assert.equal(templateVariables('Без переменных {{имя}}'), 0);
});
