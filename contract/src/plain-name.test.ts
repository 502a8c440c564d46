import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlainName } from './plain-name.ts';

for (const name of [
  'Ромашка',
  'ТОО «Алма-Ата Сервис»',
  'Қазақстан Темір Жолы',
  'O’Neill & Sons, Ltd.',
  'А. Б. Серикбаев',
  'Иванов И.И.',
  'Shop 24/7',
  'Отдел №1 (склад)',
  'Т.О.О. Рога',
  '1С:Предприятие',
  'Кафе 🍏',
  'A.Ivanov',
  'Серикбаев А.Б.',
  'Цветы ❤\uFE0F',
]) {
  test(`${name} is a plain name`, () => assert.equal(isPlainName(name), true));
}

for (const name of [
  'Ваш код\nhttps://evil.kz',
  'evil.kz',
  'Kaspi. Подробнее на evil.com',
  'зайдите на evil。com',
  'evil．com',
  'evil․kz',
  'ｅｖｉｌ.ｋｚ',
  'www evil',
  't.me/evil',
  'evil.сom',
  'kаspi.kz',
  'x.com',
  'WWW.EVIL',
  'http://1.2.3.4',
  '//evil',
  'банк.қаз',
  'xn--80ak6aa92e.xn--p1ai',
  'Shop\u202Egro.live',
  'Sh\u200Bop',
  'Shop\u2028Pay',
  'Shop\r\nBcc: a@b.kz',
  'tab\there',
  'evil\uFE0F.kz',
  'evil.\uFE0Fkz',
  'evil\u034F.kz',
  'Shop\u3164Pay',
  'evil.cοm',
  '\u0000',
]) {
  test(`${JSON.stringify(name)} is none`, () => assert.equal(isPlainName(name), false));
}
