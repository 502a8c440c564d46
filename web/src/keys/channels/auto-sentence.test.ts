import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '../../design/format/format.ts';
import { keys as en } from '../../texts/en/keys.ts';
import { keys as kk } from '../../texts/kk/keys.ts';
import { keys as ru } from '../../texts/ru/keys.ts';
import { autoSentence } from './auto-sentence.ts';

const prices = { whatsapp: 3, telegram: 3, sms: 8 };
const route = {
  channels: ['whatsapp', 'telegram', 'sms'] as const,
  fallbackSeconds: 30,
  prices,
};
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('the sentence has the channels, the delays and the highest price in three languages', () => {
  const sentence = (texts: typeof ru, lang: 'ru' | 'kk' | 'en') =>
    plain(autoSentence(route, texts.auto, createFormat(lang).money));
  assert.equal(
    sentence(ru, 'ru'),
    'auto: WhatsApp → 30 с → Telegram → 30 с → SMS. Максимум 8 ₸ за сообщение.',
  );
  assert.equal(
    sentence(kk, 'kk'),
    'auto: WhatsApp → 30 с → Telegram → 30 с → SMS. Бір хабарламаға ең көбі 8 ₸.',
  );
  assert.equal(
    sentence(en, 'en'),
    'auto: WhatsApp → 30 s → Telegram → 30 s → SMS. At most 8 ₸ a message.',
  );
});

test('a message is charged once, so the price of a disabled channel does not count', () => {
  const { money } = createFormat('ru');
  const sentence = autoSentence({ ...route, channels: ['telegram'] }, ru.auto, money);
  assert.equal(plain(sentence), 'auto: Telegram. Максимум 3 ₸ за сообщение.');
});

test('with a dear channel first, the sentence says what that usually costs', () => {
  const dear = { ...route, channels: ['sms', 'whatsapp', 'telegram'] as const };
  const sentence = (texts: typeof ru, lang: 'ru' | 'kk' | 'en') =>
    plain(autoSentence(dear, texts.auto, createFormat(lang).money));
  assert.equal(
    sentence(ru, 'ru'),
    'auto: SMS → 30 с → WhatsApp → 30 с → Telegram. Обычно 8 ₸ вместо 3 ₸: первым стоит SMS. Максимум 8 ₸ за сообщение.',
  );
  assert.match(sentence(kk, 'kk'), /Әдетте 3 ₸ орнына 8 ₸: бірінші тұрған арна — SMS\./);
  assert.match(sentence(en, 'en'), /Usually 8 ₸ instead of 3 ₸: SMS comes first\./);
  const alone = autoSentence({ ...route, channels: ['sms'] }, ru.auto, createFormat('ru').money);
  assert(!alone.includes('вместо'), 'alone it is dearer than nothing');
});

test('a test key costs nothing, and without a channel nothing can be sent', () => {
  const { money } = createFormat('ru');
  const test = autoSentence({ ...route, channels: ['sms'], prices: null }, ru.auto, money);
  assert.equal(test, `auto: SMS. ${ru.auto.free}`);
  assert.equal(autoSentence({ ...route, channels: [] }, ru.auto, money), ru.auto.nothing);
});
