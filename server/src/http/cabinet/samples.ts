import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Operation } from '@zhiber/contract/cabinet/playground.ts';

/** The API keys that the samples refer to, by name. */
export const SAMPLE_KEYS = {
  site: {
    name: 'Сайт romashka.kz',
    isTest: false,
    channels: ['whatsapp', 'telegram', 'sms'],
    brand: 'Ромашка',
  },
  app: {
    name: 'Мобильное приложение',
    isTest: false,
    channels: ['telegram', 'sms'],
    brand: 'Ромашка',
  },
  tests: { name: 'Тесты', isTest: true, channels: ['whatsapp', 'telegram', 'sms'], brand: null },
} as const satisfies Record<
  string,
  { name: string; isTest: boolean; channels: readonly Channel[]; brand: string | null }
>;
export type SampleKey = keyof typeof SAMPLE_KEYS;

export type Sample = {
  key: SampleKey;
  operation: Operation;
  body: { phone?: string; purpose?: string } & Record<string, unknown>;
  /** Whether the person enters the code correctly; absent when they do not enter it. */
  entered?: 'right' | 'wrong';
  /** Who opens the link, in order. */
  opened?: readonly ('person' | 'robot')[];
};

const phone = (number: number) => `+7701555${String(number).padStart(4, '0')}`;

const code = (
  key: SampleKey,
  number: number,
  overrides: Partial<Sample> & { channel?: Channel } = {},
) => {
  const { channel, ...rest } = overrides;
  const body = { phone: phone(number), purpose: 'login', ...(channel && { channel }) };
  return { key, operation: 'otpSend', body, entered: 'right', ...rest } as const;
};

const scenario = (number: number, purpose: string): Sample => ({
  key: 'tests',
  operation: 'otpSend',
  body: { phone: `+770000000${String(number).padStart(2, '0')}`, purpose },
});

const promo = { url: 'https://romashka.kz/sale?utm_source=zhiber' };

/** A working day of a small shop: successful sends, fallbacks to another channel, refusals. */
export const SAMPLES: readonly Sample[] = [
  ...[1, 2, 3, 4, 5, 6, 7].map((number) => code('site', number)),
  code('site', 8, { entered: 'wrong' }),
  code('site', 9, { channel: 'sms' }),
  code('site', 10, { channel: 'sms' }),
  ...[11, 12, 13, 14].map((number) => code('app', number)),
  {
    key: 'site',
    operation: 'otpSend',
    body: { phone: phone(15), purpose: 'signup', link: 'https://romashka.kz/welcome' },
    entered: 'right',
    opened: ['robot', 'person'],
  },
  scenario(1, 'login'),
  scenario(2, 'login'),
  scenario(3, 'login'),
  scenario(4, 'login'),
  scenario(8, 'login'),
  {
    key: 'site',
    operation: 'linkSend',
    body: { ...promo, phone: phone(16), channel: 'auto', text: 'Скидки недели: :link' },
    opened: ['robot', 'person', 'person'],
  },
  {
    key: 'site',
    operation: 'linkSend',
    body: { ...promo, phone: phone(17), channel: 'telegram', text: 'Скидки недели: :link' },
    opened: ['robot'],
  },
  { key: 'app', operation: 'linkShorten', body: promo, opened: ['person', 'person', 'robot'] },
  {
    key: 'app',
    operation: 'linkShorten',
    body: { url: 'https://romashka.kz/contacts', expires_in: 2_592_000 },
    opened: ['person'],
  },
  {
    key: 'site',
    operation: 'groupSend',
    body: { group: 'Дежурные', text: 'Новый заказ на 12 400 ₸' },
  },
  { key: 'site', operation: 'otpSend', body: { phone: '8 701 55', purpose: 'login' } },
  { key: 'app', operation: 'otpSend', body: { phone: phone(18), channel: 'whatsapp' } },
  { key: 'site', operation: 'groupSend', body: { group: 'Склад', text: 'Пора пополнить полки' } },
];
