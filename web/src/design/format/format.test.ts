import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFormat } from './format.ts';

const ru = createFormat('ru');
const kk = createFormat('kk');
const en = createFormat('en');
const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
const year = new Date().getUTCFullYear();

describe('times', () => {
  test('are in Almaty time, five hours ahead of UTC since March 2024', () => {
    assert.equal(spaced(ru.time(`${year}-07-14T05:42:07Z`)), '14 июл, 10:42:07');
    assert.equal(spaced(kk.time(`${year}-07-14T05:42:07Z`)), '14 шіл, 10:42:07');
    assert.equal(spaced(en.time(`${year}-07-14T05:42:07Z`)), '14 Jul, 10:42:07');
    assert.equal(ru.clock('2024-02-29T17:59:00Z'), '23:59');
    assert.equal(ru.clock('2024-03-01T19:00:00Z'), '00:00');
  });

  test('have the date in Almaty, with the year unless it is the current one', () => {
    assert.equal(spaced(ru.date('2024-12-31T18:59:59Z')), '31 дек 2024');
    assert.equal(spaced(ru.date(`${year}-01-01T00:00:00Z`)), '1 янв');
    assert.equal(spaced(ru.date(`${year - 1}-12-31T19:00:00Z`)), '1 янв');
  });

  test('relative to now are in words', () => {
    const now = Date.parse('2026-01-10T12:00:00Z');
    assert.equal(ru.relative('2026-01-10T11:55:00Z', now), '5 минут назад');
    assert.equal(ru.relative('2026-01-13T12:00:00Z', now), 'через 3 дня');
    assert.equal(en.relative('2026-01-10T11:59:59Z', now), '1 second ago');
    assert.equal(ru.relative('2026-01-10T12:00:00Z', now), 'сейчас');
    assert.equal(kk.relative('2026-01-10T11:55:00Z', now), '5 минут бұрын');
    assert.equal(kk.relative('2026-01-13T12:00:00Z', now), '3 күннен кейін');
    assert.equal(kk.relative('2026-01-09T12:00:00Z', now), 'кеше');
    assert.equal(kk.relative('2026-01-10T12:00:00Z', now), 'қазір');
  });
});

describe('sums and numbers', () => {
  test('are in tenge with its symbol, written alike in every language', () => {
    assert.equal(spaced(ru.money(12_345)), '12 345 ₸');
    assert.equal(spaced(kk.money(12_345)), '12 345 ₸');
    assert.equal(spaced(en.money(12_345)), '12 345 ₸');
    assert.equal(spaced(ru.money(0)), '0 ₸');
  });

  test('have the separators of the language', () => {
    assert.equal(spaced(ru.number(1_234_567)), '1 234 567');
    assert.equal(spaced(ru.percent(0.985)), '98,5 %');
    assert.equal(ru.seconds(34_812), '34,8');
    assert.equal(en.seconds(34_812), '34.8');
  });
});

describe('phones', () => {
  test('are written as people read them, masked ones too', () => {
    assert.equal(spaced(ru.phone('+77011234567')), '+7 701 123-45-67');
    assert.equal(spaced(ru.phone('+7701•••4567')), '+7 701 •••-45-67');
    assert.equal(spaced(ru.phone('+7701***4567')), '+7 701 •••-45-67');
  });

  test('of other countries, and names of groups, stay as they are', () => {
    assert.equal(ru.phone('+996555123456'), '+996555123456');
    assert.equal(ru.phone('Смена 2'), 'Смена 2');
  });
});
