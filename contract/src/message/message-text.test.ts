import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHANNELS } from '../api/channel.ts';
import { codeText, linkText } from './message-text.ts';
import { countParts } from './sms-parts.ts';

const voices = fc.record({
  language: fc.constantFrom('ru' as const, 'kk' as const, 'both' as const),
  brand: fc.option(fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' })),
  domain: fc.option(fc.domain()),
});
const codes = fc.stringMatching(/^[0-9]{4,8}$/);
const links = fc.option(fc.stringMatching(/^https:\/\/[a-z]{3,12}\.kz\/s\/[A-Za-z0-9]{8}$/));

test('a code always fits one SMS, and it and the link are always in it', () => {
  fc.assert(
    fc.property(
      voices,
      codes,
      links,
      fc.constantFrom(...CHANNELS),
      (voice, code, link, channel) => {
        const text = codeText(voice, { channel, code, link: link ?? undefined });
        assert.equal(countParts(text), 1, text);
        assert(text.length <= 70, text);
        assert(text.includes(code));
        if (link !== null) assert(text.includes(link));
      },
    ),
    { numRuns: 3_000 },
  );
});

const plain = { language: 'ru' as const, brand: null, domain: null };

test('the text holds as much as fits: brand, code, warning', () => {
  const content = { channel: 'whatsapp' as const, code: '012345' };
  assert.equal(codeText(plain, content), 'Код 012345. Никому его не сообщайте.');
  assert.equal(
    codeText({ ...plain, brand: 'Лавка' }, content),
    'Лавка: код 012345. Никому его не сообщайте.',
  );
  const long = codeText({ ...plain, brand: 'Л'.repeat(40) }, content);
  assert.equal(long, `${'Л'.repeat(40)}: код 012345`);
  assert.equal(codeText({ ...plain, brand: 'Л'.repeat(90) }, content), 'Код 012345');
});

test('the languages are Russian, Kazakh, or both', () => {
  const content = { channel: 'sms' as const, code: '1234' };
  assert.match(codeText({ ...plain, language: 'kk' }, content), /Оны ешкімге айтпаңыз/);
  assert.match(codeText({ ...plain, language: 'both' }, content), /Никому.*Ешкімге/);
});

test('an SMS of a bound key ends in the line for WebOTP, other channels do not', () => {
  const voice = { ...plain, domain: 'shop.kz' };
  const sms = codeText(voice, { channel: 'sms', code: '123456' });
  assert(sms.endsWith('\n\n@shop.kz #123456') || sms.endsWith('\n@shop.kz #123456'), sms);
  const message = codeText(voice, { channel: 'telegram', code: '123456' });
  assert(!message.includes('@shop.kz'));
});

test('the line for WebOTP costs the text what is needed, and no more', () => {
  const content = { channel: 'sms' as const, code: '482913' };
  const voice = { ...plain, brand: 'Aidana Clinic', domain: 'aidana-clinic.kz' };
  const line = '\n\n@aidana-clinic.kz #482913';
  assert.equal(codeText(voice, content), `Aidana Clinic: код 482913${line}`);
  assert.equal(codeText({ ...voice, brand: 'А'.repeat(40) }, content), `Код 482913${line}`);
  const link = 'https://zhbr.kz/Kd7mWq3x';
  assert.equal(
    codeText({ ...plain, domain: 'shop.kz' }, { ...content, link }),
    `Код 482913 ${link}\n\n@shop.kz #482913`,
  );
});

test('the line for WebOTP is left out when it does not fit beside the link', () => {
  const link = 'https://short.kz/AbCdEfGh';
  const voice = { ...plain, domain: 'a-very-long-name-of-a-shop.example.kz' };
  const text = codeText(voice, { channel: 'sms', code: '123456', link });
  assert(text.includes(link) && !text.includes('@'), text);
});

test('each :link is replaced, and without one the link follows the text', () => {
  const link = 'https://s.kz/AbCdEfGh';
  const branded = { ...plain, brand: 'Лавка' };
  for (const voice of [plain, branded]) {
    assert.equal(linkText(voice, 'Тут :link и тут :link', link), `Тут ${link} и тут ${link}`);
    assert.equal(linkText(voice, 'Ваш заказ', link), `Ваш заказ ${link}`);
  }
});

test('a link without a text comes with a default one, after the brand', () => {
  const link = 'https://s.kz/AbCdEfGh';
  const branded = { ...plain, brand: 'Лавка' };
  assert.equal(linkText(plain, undefined, link), `Ваша ссылка: ${link}`);
  assert.equal(linkText(branded, undefined, link), `Лавка. Ваша ссылка: ${link}`);
  assert.equal(
    linkText({ ...branded, language: 'kk' }, undefined, link),
    `Лавка. Сіздің сілтемеңіз: ${link}`,
  );
});

test('a brand named :link is not replaced by the link', () => {
  const voice = { ...plain, brand: ':link' };
  assert.equal(linkText(voice, undefined, 'https://s.kz/a'), ':link. Ваша ссылка: https://s.kz/a');
});

test('a default text is never too long for SMS because of the brand', () => {
  const voice = { ...plain, language: 'both' as const, brand: 'Б'.repeat(60) };
  const short = linkText(voice, undefined, 'https://s.kz/AbCdEfGh');
  assert(short.startsWith(`${voice.brand}. `) && countParts(short) === 2);
  const link = `https://${'a-long-name-'.repeat(4)}example.kz/s/AbCdEfGh`;
  const long = linkText(voice, undefined, link);
  assert.equal(long, `Ваша ссылка / Сіздің сілтемеңіз: ${link}`);
});

test('a link with special replacement patterns is inserted as it is', () => {
  for (const link of ['https://s.kz/$&', 'https://s.kz/$1', 'https://s.kz/$$', "https://s.kz/$'"]) {
    assert(linkText(plain, 'a :link b', link).includes(link), link);
  }
});
