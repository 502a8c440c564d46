import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import { clientSummary as en } from '../../texts/en/client-summary.ts';
import { clientSummary as kk } from '../../texts/kk/client-summary.ts';
import { clientSummary as ru } from '../../texts/ru/client-summary.ts';
import { type Summarised, type SummaryWords, summaryOf } from './client-summary.ts';

type Kind = TimelineStep['step'];
type Told = [time: string, kind: Kind, channel?: Channel | null, isLate?: 'late'];

/** Times are those of Almaty on 18 November, unless a day is given. */
const instant = (time: string) =>
  new Date(
    `${time.includes(' ') ? time.replace(' ', 'T') : `2026-11-18T${time}`}+05:00`,
  ).toISOString();

function story(steps: Told[], facts: Partial<Summarised> = {}): Summarised {
  return {
    kind: 'otp',
    has_link: false,
    phone: '+77011234567',
    at: instant('10:42:07'),
    state: 'delivered',
    mode: 'live',
    steps: steps.map(([time, step, channel = null, late]) => ({
      at: instant(time),
      step,
      channel,
      text: 'код 123456, 8 ₸',
      reason: 'ESME_RINVDSTADR',
      cost: 8,
      is_late: late !== undefined,
      sms: null,
    })),
    ...facts,
  };
}

/** No-break spaces are spaces here. */
const tell = (message: Summarised, words: SummaryWords = ru) =>
  summaryOf(message, words).replaceAll('\u00a0', ' ');

const BEGUN: Told[] = [
  ['10:42:07', 'accepted'],
  ['10:42:07', 'attempt', 'whatsapp'],
];
const SENT: Told[] = [...BEGUN, ['10:42:08', 'sent', 'whatsapp']];
const SILENT: Told[] = [
  ...SENT,
  ['10:42:37', 'unconfirmed', 'whatsapp'],
  ['10:42:37', 'fallback', 'sms'],
];
const TO_SMS: Told[] = [...SILENT, ['10:42:38', 'sent', 'sms']];
const START = '18 ноября в 10:42 мы отправили код на +7 701 •••-45-67 в WhatsApp.';

const stories: Record<string, [Summarised, string]> = {
  'delivered at once': [
    story([...SENT, ['10:42:09', 'delivered', 'whatsapp']]),
    `${START} Код доставлен в 10:42.`,
  ],
  'read and verified': [
    story(
      [
        ...SENT,
        ['10:42:09', 'delivered', 'whatsapp'],
        ['10:43:10', 'read', 'whatsapp'],
        ['10:43:20', 'verified'],
      ],
      { state: 'read' },
    ),
    `${START} Код прочитан в 10:43. Код введён верно в 10:43.`,
  ],
  'gone on to SMS after silence': [
    story([...TO_SMS, ['10:43:01', 'delivered', 'sms']]),
    `${START} Подтверждения не было 30 секунд, поэтому код ушёл по SMS и был доставлен в 10:43.`,
  ],
  'gone on to SMS, with a late receipt of the first channel': [
    story([
      ...TO_SMS,
      ['10:43:01', 'delivered', 'sms'],
      ['10:44:00', 'delivered', 'whatsapp', 'late'],
    ]),
    `${START} Подтверждения не было 30 секунд, поэтому код ушёл по SMS и был доставлен в 10:43. Позже, в 10:44, подтвердилась и доставка в WhatsApp.`,
  ],
  'refused by the first channel': [
    story([
      ...BEGUN,
      ['10:42:08', 'refused', 'whatsapp'],
      ['10:42:08', 'attempt', 'telegram'],
      ['10:42:09', 'sent', 'telegram'],
      ['10:42:10', 'delivered', 'telegram'],
    ]),
    '18 ноября в 10:42 мы отправляли код на +7 701 •••-45-67. WhatsApp сообщение не принял, поэтому код ушёл в Telegram и был доставлен в 10:42.',
  ],
  'tried on three channels': [
    story([
      ...BEGUN,
      ['10:42:08', 'unavailable', 'whatsapp'],
      ['10:42:08', 'attempt', 'telegram'],
      ['10:42:09', 'refused', 'telegram'],
      ['10:42:09', 'attempt', 'sms'],
      ['10:42:10', 'sent', 'sms'],
      ['10:42:40', 'failed', 'sms'],
    ]),
    '18 ноября в 10:42 мы отправляли код на +7 701 •••-45-67. WhatsApp сообщение не принял, поэтому мы отправляли в Telegram. Telegram сообщение не принял, поэтому код ушёл по SMS, но не был доставлен.',
  ],
  'refused everywhere': [
    story(
      [
        ...BEGUN,
        ['10:42:08', 'refused', 'whatsapp'],
        ['10:42:08', 'attempt', 'sms'],
        ['10:42:09', 'refused', 'sms'],
      ],
      { state: 'failed' },
    ),
    '18 ноября в 10:42 мы отправляли код на +7 701 •••-45-67. WhatsApp сообщение не принял, поэтому мы отправляли по SMS, но сообщение снова не приняли.',
  ],
  'refused by its only channel': [
    story([...BEGUN, ['10:42:08', 'refused', 'whatsapp']], { state: 'failed' }),
    '18 ноября в 10:42 мы отправляли код на +7 701 •••-45-67. WhatsApp сообщение не принял.',
  ],
  'failed on its only channel': [
    story([...SENT, ['10:42:40', 'failed', 'whatsapp']], { state: 'failed' }),
    `${START} Код не доставлен: телефон выключен, вне сети или не принимает такие сообщения.`,
  ],
  'never confirmed': [
    story([...SENT, ['10:42:38', 'unconfirmed', 'whatsapp']], { state: 'unconfirmed' }),
    `${START} Подтверждения доставки нет.`,
  ],
  'waiting for its receipt': [
    story(SENT, { state: 'sent' }),
    `${START} Ждём подтверждения доставки.`,
  ],
  'without an answer of the channel': [
    story([...BEGUN, ['10:42:17', 'unknown', 'whatsapp']], { state: 'unknown' }),
    `${START} Дошло ли сообщение, неизвестно.`,
  ],
  'still being sent': [
    story(BEGUN, { state: 'sending' }),
    '18 ноября в 10:42 к нам поступил запрос на отправку кода на +7 701 •••-45-67. Отправка ещё идёт.',
  ],
  'on its way to the second channel': [
    story(SILENT, { state: 'sending' }),
    `${START} Отправка ещё идёт.`,
  ],
  'of which no channel is known, because a process died': [
    story([['10:42:07', 'accepted']], { state: 'unknown' }),
    '18 ноября в 10:42 к нам поступил запрос на отправку кода на +7 701 •••-45-67. Дошло ли сообщение, неизвестно.',
  ],
  'with a link that was opened the next day': [
    story([...SENT, ['10:42:09', 'delivered', 'whatsapp'], ['2026-11-19 00:01:00', 'clicked']], {
      kind: 'link',
      has_link: true,
    }),
    '18 ноября в 10:42 мы отправили сообщение со ссылкой на +7 701 •••-45-67 в WhatsApp. Сообщение доставлено в 10:42. Ссылку открыли 19 ноября в 00:01.',
  ],
  'of a broadcast, gone on to SMS': [
    story([...TO_SMS, ['10:43:01', 'delivered', 'sms']], { kind: 'broadcast' }),
    '18 ноября в 10:42 мы отправили сообщение на +7 701 •••-45-67 в WhatsApp. Подтверждения не было 30 секунд, поэтому сообщение ушло по SMS и было доставлено в 10:43.',
  ],
  'to a group': [
    story(
      [
        ['10:42:07', 'accepted'],
        ['10:42:07', 'attempt', 'telegram'],
        ['10:42:08', 'sent', 'telegram'],
      ],
      { kind: 'group', phone: 'Склад', state: 'sent' },
    ),
    '18 ноября в 10:42 мы отправили сообщение в группу «Склад» в Telegram. Ждём подтверждения доставки.',
  ],
  'of a test key': [
    story([...SENT, ['10:42:09', 'delivered', 'whatsapp']], { mode: 'test' }),
    `${START} Код доставлен в 10:42. Это была тестовая отправка: на телефоны такие сообщения не приходят.`,
  ],
};

for (const [what, [message, expected]] of Object.entries(stories)) {
  test(`a client is told of a message ${what}`, () => {
    assert.equal(tell(message), expected);
  });
}

const FELL_BACK = story([...TO_SMS, ['10:43:01', 'delivered', 'sms']]);

test('in Kazakh and in English the story is the same', () => {
  assert.equal(
    tell(FELL_BACK, en),
    'On 18 November at 10:42 we sent a code to +7 701 •••-45-67 on WhatsApp. There was no confirmation for 30 seconds, so the code went by SMS and was delivered at 10:43.',
  );
  assert.equal(
    tell(FELL_BACK, kk),
    '18 қарашада, сағат 10:42: +7 701 •••-45-67 нөміріне WhatsApp арқылы код жібердік. 30 секунд бойы растау болмады, сондықтан код SMS арқылы жіберілді және жеткізілді (сағат 10:43).',
  );
});

test('no story has a whole phone, a code, a cost or the words of a provider', () => {
  for (const words of [ru, kk, en]) {
    for (const [message] of Object.values(stories)) {
      assert.doesNotMatch(summaryOf(message, words), /123456|₸|ESME|1234567|undefined|123-45/);
    }
  }
});

test('a foreign phone is masked as well, and one that is masked already stays so', () => {
  assert.match(tell(story(SENT, { phone: '+4915112345678' })), / на \+491511\*\*\*5678 /);
  assert.match(tell(story(SENT, { phone: '+7701***4567' })), / на \+7 701 •••-45-67 /);
});

test('a long wait is told in minutes', () => {
  const steps: Told[] = [
    ...SENT,
    ['10:47:07', 'unconfirmed', 'whatsapp'],
    ['10:47:07', 'fallback', 'sms'],
    ['10:47:08', 'sent', 'sms'],
  ];
  assert.match(tell(story(steps)), /Подтверждения не было 5 минут, поэтому/);
});
