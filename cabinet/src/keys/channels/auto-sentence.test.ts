import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '../../format/format.ts';
import { keys as en } from '../../texts/en/keys.ts';
import { keys as kk } from '../../texts/kk/keys.ts';
import { keys as ru } from '../../texts/ru/keys.ts';
import { autoSentence } from './auto-sentence.ts';

const prices = { whatsapp: 3, telegram: 3, sms: 8 };
const way = {
  channels: ['whatsapp', 'telegram', 'sms'] as const,
  fallbackSeconds: 30,
  prices,
};
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('the sentence names the channels, the waits and the dearest of them in three languages', () => {
  const say = (texts: typeof ru, lang: 'ru' | 'kk' | 'en') =>
    plain(autoSentence(way, texts.auto, createFormat(lang).money));
  assert.equal(
    say(ru, 'ru'),
    'auto: WhatsApp → 30 с → Telegram → 30 с → SMS. Максимум 8 ₸ за сообщение.',
  );
  assert.equal(
    say(kk, 'kk'),
    'auto: WhatsApp → 30 с → Telegram → 30 с → SMS. Бір хабарламаға ең көбі 8 ₸.',
  );
  assert.equal(
    say(en, 'en'),
    'auto: WhatsApp → 30 s → Telegram → 30 s → SMS. At most ₸8 a message.',
  );
});

test('a message is charged once, so a dear channel that is off costs nothing', () => {
  const { money } = createFormat('ru');
  const said = autoSentence({ ...way, channels: ['telegram'] }, ru.auto, money);
  assert.equal(plain(said), 'auto: Telegram. Максимум 3 ₸ за сообщение.');
});

test('a test key costs nothing, and without a channel nothing can be sent', () => {
  const { money } = createFormat('ru');
  const test = autoSentence({ ...way, channels: ['sms'], prices: null }, ru.auto, money);
  assert.equal(test, `auto: SMS. ${ru.auto.free}`);
  assert.equal(autoSentence({ ...way, channels: [] }, ru.auto, money), ru.auto.nothing);
});
