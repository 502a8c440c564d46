import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHANNELS, type Channel } from '../api/channel.ts';
import {
  cleanCell,
  fillTemplate,
  fillText,
  fitsSms,
  needsLink,
  parseBroadcast,
  parseTemplate,
  parseText,
  renderBroadcast,
  UNSUBSCRIBE_LINES,
  usedTexts,
} from './broadcast-text.ts';
import type { MessageLanguage } from './message-text.ts';

const LINK = 'https://zhbr.kz/Kd7mWq3x';
const STOP = 'https://zhbr.kz/u/4mSz';
const COLUMNS = ['Телефон', 'Имя', ' Сумма ', 'Пусто'];
const CELLS = ['87011234567', 'Айгүл', '12 500', ''];
const fill = (text: string, cells = CELLS) =>
  fillText(parseText(text, COLUMNS), { cells, link: LINK, unsubscribeUrl: STOP });

const FILLED: [what: string, text: string, expected: string][] = [
  ['a plain text stays as it is', 'Скидка 20 %', 'Скидка 20 %'],
  ['a variable is its cell', '{{Имя}}, привет', 'Айгүл, привет'],
  ['case and spaces of a name do not matter', '{{ имя }}: {{СУММА}}', 'Айгүл: 12 500'],
  ['a cell wins over a default', '{{имя|клиент}}', 'Айгүл'],
  ['an empty cell gets the default', 'Уважаемый {{пусто|клиент}}!', 'Уважаемый клиент!'],
  ['a default keeps its inner spaces', '{{пусто| дорогой  друг }}', 'дорогой  друг'],
  ['a default may hold a bar', '{{пусто|а|б}}', 'а|б'],
  ['an empty cell without a default is nothing', 'Привет, {{пусто}}!', 'Привет, !'],
  ['an unknown variable is nothing, or its default', '[{{город}}{{город|Астана}}]', '[Астана]'],
  ['every link is replaced', ':link и :link', `${LINK} и ${LINK}`],
  ['the link to unsubscribe is replaced', 'Отписаться :stop', `Отписаться ${STOP}`],
  ['a default that looks like a link is a text', '{{пусто|:link}}', ':link'],
  ['single braces are a text', '{имя} } { :-}', '{имя} } { :-}'],
  ['lone braces are never sent', 'а {{имя б', 'а имя б'],
  ['closing braces alone are never sent', 'а имя}} б', 'а имя б'],
  ['an unclosed variable does not swallow the next', '{{имя, {{сумма}}', 'имя, 12 500'],
  ['a variable does not reach over a line', '{{имя\n}} б', 'имя\n б'],
  ['lines stay, other control characters go', 'а\r\nб\u0000в\tг\u202Eд', 'а\nбв гд'],
  ['spaces around the whole text go', '  а \n', 'а'],
];
for (const [what, text, expected] of FILLED) {
  test(what, () => assert.equal(fill(text), expected));
}

test('a cell is never read as a part of the text', () => {
  for (const cell of ['{{Сумма}}', ':link', ':stop', '{{', '}}', '$&', '$1', '{{имя|x}}']) {
    const cells = ['', cell, '12 500', ''];
    assert.equal(fill('{{имя}} :link', cells), `${cell} ${LINK}`);
    assert.equal(fill('{{имя}}{{имя}}', cells), cell + cell);
  }
  // Not even two cells together.
  assert.equal(fill('{{имя}}{{сумма}}', ['', '{{', 'имя}}', '']), '{{имя}}');
  assert.equal(fill('{{имя}}{{сумма}}', ['', ':li', 'nk', '']), ':link');
});

test('the value of a cell is one clean line', () => {
  assert.equal(cleanCell('  Айгүл \n\r\n Серік\u0007 '), 'Айгүл   Серік');
  assert.equal(cleanCell('а\u2028б\u202Eв\u0000'), 'а б в');
  assert.equal(cleanCell('\ud83d'), '');
  assert.equal(cleanCell('Привет 😀'), 'Привет 😀');
  assert.equal(fill('{{пусто|нет}}', ['', '', '', ' \n ']), 'нет');
});

test('a row that is shorter than the columns has empty cells', () => {
  assert.equal(fill('{{сумма|0}}', ['8701']), '0');
});

const FAULTS: [text: string, unknown: string[]][] = [
  ['{{имя}} {{Сумма|0}}', []],
  ['{{город}} {{ Улица |x}} {{город}}', ['город', 'Улица']],
  ['{{}}', ['']],
  ['{{{имя}}}', ['{имя']],
  ['Привет, {{имя и так далее до конца', ['{{имя и так далее до']],
  ['имя}} б', ['имя}}']],
  ['{{имя\n}}', ['{{имя', '}}']],
];
for (const [text, unknown] of FAULTS) {
  test(`${JSON.stringify(text)} has ${unknown.length} faults`, () => {
    assert.deepEqual(parseText(text, COLUMNS).unknown, unknown);
  });
}

test('of columns with one name the first counts, and a nameless one has no name', () => {
  const parsed = parseText('{{имя}}', ['Имя', 'ИМЯ', '']);
  assert.equal(fillText(parsed, { cells: ['а', 'б'], link: null, unsubscribeUrl: STOP }), 'а');
  assert.deepEqual(parseText('{{}}', ['', ' ']).unknown, ['']);
});

test('names with a letter of two characters are the same as with one', () => {
  assert.deepEqual(parseText('{{Й}}', ['\u0418\u0306']).unknown, []);
});

test('a text says which columns must not be empty', () => {
  const { needed } = parseText('{{имя}} {{имя|x}} {{сумма|0}} {{ИМЯ}} {{пусто}}', COLUMNS);
  assert.deepEqual(needed, [
    { column: 1, name: 'имя' },
    { column: 3, name: 'пусто' },
  ]);
});

const LINES: [Channel, MessageLanguage, string][] = [
  ['sms', 'ru', `Скидка\nОткл: ${STOP}`],
  ['sms', 'kk', `Скидка\nБас тарту: ${STOP}`],
  ['sms', 'both', `Скидка\nОткл/Бас тарту: ${STOP}`],
  ['telegram', 'ru', `Скидка\n\nОтписаться: ${STOP} или ответьте СТОП`],
  ['telegram', 'kk', `Скидка\n\nБас тарту: ${STOP} немесе ТОҚТА деп жауап беріңіз`],
  ['telegram', 'both', `Скидка\n\nОтписаться / Бас тарту: ${STOP} или ответьте СТОП / ТОҚТА`],
  ['whatsapp', 'ru', 'Здравствуйте, Айгүл!'],
];
const TEMPLATE = { body: 'Здравствуйте, {{1}}!', variables: ['{{имя}}'] };
for (const [channel, language, expected] of LINES) {
  test(`${channel} in ${language} ends as its people expect`, () => {
    const parsed = parseBroadcast({
      ...{ text: 'Скидка', template: TEMPLATE, columns: COLUMNS },
      language,
    });
    const facts = { cells: CELLS, link: LINK, unsubscribeUrl: STOP };
    assert.equal(renderBroadcast(parsed, channel, facts), expected);
  });
}

test('an author who placed the link to unsubscribe gets no second one', () => {
  const columns = COLUMNS;
  const text = 'Скидка. Не нужно? :stop';
  const parsed = parseBroadcast({ text, template: null, columns, language: 'ru' });
  for (const channel of CHANNELS) {
    const facts = { cells: CELLS, link: null, unsubscribeUrl: STOP };
    assert.equal(renderBroadcast(parsed, channel, facts), `Скидка. Не нужно? ${STOP}`);
  }
});

test('a cell that looks like the link to unsubscribe does not replace the line', () => {
  const parsed = parseBroadcast({
    ...{ text: '{{имя}}', template: null, columns: COLUMNS },
    language: 'ru',
  });
  const facts = { cells: ['', ':stop'], link: null, unsubscribeUrl: STOP };
  assert.equal(renderBroadcast(parsed, 'sms', facts), `:stop\nОткл: ${STOP}`);
});

test('a template is filled with the texts of its variables', () => {
  const template = {
    body: 'Здравствуйте, {{1}}! К оплате {{ 2 }} ₸: {{3}}. Ещё раз: {{1}}',
    variables: ['{{имя|клиент}}', '{{сумма}}', ':link'],
  };
  const parsed = parseTemplate(template, COLUMNS);
  assert.deepEqual(parsed.missing, []);
  assert.deepEqual(fillTemplate(parsed, { cells: CELLS, link: LINK, unsubscribeUrl: STOP }), {
    text: `Здравствуйте, Айгүл! К оплате 12 500 ₸: ${LINK}. Ещё раз: Айгүл`,
    variables: ['Айгүл', '12 500', LINK],
  });
});

test('the value of a template variable is one line and is not read as a variable', () => {
  const template = { body: '{{1}} и {{2}}', variables: ['{{имя}}', 'а\n\n   б'] };
  const facts = { cells: ['', '{{2}}'], link: null, unsubscribeUrl: STOP };
  assert.deepEqual(fillTemplate(parseTemplate(template, COLUMNS), facts), {
    text: '{{2}} и а б',
    variables: ['{{2}}', 'а б'],
  });
});

test('a template tells which of its variables have no text', () => {
  const template = { body: '{{1}} {{2}} {{3}}', variables: ['а', ' '] };
  assert.deepEqual(parseTemplate(template, []).missing, [2, 3]);
});

test('only texts that the channels use count', () => {
  const parsed = parseBroadcast({
    text: ':link',
    template: { body: '{{1}}', variables: ['{{имя}}'] },
    columns: COLUMNS,
    language: 'ru',
  });
  assert.equal(usedTexts(parsed, ['whatsapp']).length, 1);
  assert.equal(usedTexts(parsed, ['whatsapp', 'sms']).length, 2);
  assert.equal(needsLink(parsed, ['whatsapp']), false);
  assert.equal(needsLink(parsed, ['whatsapp', 'sms']), true);
  const withButton = parseBroadcast({
    text: '',
    template: { body: 'Скидка', has_link: true, variables: [] },
    columns: [],
    language: 'ru',
  });
  assert.equal(needsLink(withButton, ['whatsapp']), true);
  assert.equal(needsLink(withButton, ['sms']), false);
});

test('an SMS has at most two parts', () => {
  assert(fitsSms('я'.repeat(134)));
  assert(!fitsSms('я'.repeat(135)));
});

test('the channels that ask for the line are SMS and Telegram', () => {
  const asking = CHANNELS.filter((channel) => UNSUBSCRIBE_LINES[channel] !== null);
  assert.deepEqual([...asking].sort(), ['sms', 'telegram']);
});

test('no text or cell makes two braces that the author did not put into a cell', () => {
  const piece = fc.constantFrom('{', '}', '{{', '}}', '|', ':link', ':stop', 'имя', ' ', '\n', 'я');
  const texts = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseText(text, COLUMNS);
      const filled = fillText(parsed, { cells: CELLS, link: LINK, unsubscribeUrl: STOP });
      // Single braces may stand beside each other, but only where a fault was reported.
      if (parsed.unknown.length === 0) assert(!/\{\{|\}\}/.test(filled), filled);
    }),
    { numRuns: 2_000 },
  );
});
