import { pluralRu } from '../plural.ts';

/** What a summary for a client is about; the words agree with it. */
export type SummaryThing = 'code' | 'codeWithLink' | 'link' | 'message';
type Known = 'whatsapp' | 'telegram' | 'sms';

const NOUNS = {
  code: { name: 'код', of: 'кода', isMale: true },
  codeWithLink: { name: 'сообщение с кодом и ссылкой', of: 'сообщения с кодом', isMale: false },
  link: { name: 'сообщение со ссылкой', of: 'сообщения со ссылкой', isMale: false },
  message: { name: 'сообщение', of: 'сообщения', isMale: false },
} as const;

const VIA: Record<Known, string> = {
  whatsapp: 'в WhatsApp',
  telegram: 'в Telegram',
  sms: 'по SMS',
};
const TAKER: Record<Known, string> = {
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  sms: 'Оператор SMS',
};

const agreed = (thing: SummaryThing, male: string, neuter: string) =>
  NOUNS[thing].isMale ? male : neuter;
const MONTHS =
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ');

/** Sentences that a person of support sends to a client: no code, no cost, no words of ours. */
export const clientSummary = {
  day: (day: number, month: number) => `${day} ${MONTHS[month - 1]}`,
  today: (clock: string) => `в ${clock}`,
  onDay: (day: string, clock: string) => `${day} в ${clock}`,
  seconds: (count: number) => `${count} ${pluralRu(count, 'секунду', 'секунды', 'секунд')}`,
  minutes: (count: number) => `${count} ${pluralRu(count, 'минуту', 'минуты', 'минут')}`,
  toPhone: (phone: string) => `на ${phone}`,
  toGroup: (name: string) => `в группу «${name}»`,
  sent: (at: string, thing: SummaryThing, to: string, channel: Known) =>
    `${at} мы отправили ${NOUNS[thing].name} ${to} ${VIA[channel]}.`,
  tried: (at: string, thing: SummaryThing, to: string) =>
    `${at} мы отправляли ${NOUNS[thing].name} ${to}.`,
  asked: (at: string, thing: SummaryThing, to: string) =>
    `${at} к нам поступил запрос на отправку ${NOUNS[thing].of} ${to}.`,
  why: {
    unconfirmed: (_channel: Known, span: string) => `Подтверждения не было ${span}`,
    failed: (channel: Known) => `Доставить ${VIA[channel]} не удалось`,
    refused: (channel: Known) => `${TAKER[channel]} сообщение не принял`,
    unknown: (channel: Known) => `${TAKER[channel]} не ответил`,
  },
  went: (why: string, thing: SummaryThing, channel: Known) =>
    `${why}, поэтому ${NOUNS[thing].name} ${agreed(thing, 'ушёл', 'ушло')} ${VIA[channel]}`,
  attempted: (why: string, channel: Known) => `${why}, поэтому мы отправляли ${VIA[channel]}`,
  /** How the last channel ended, after what it was. */
  end: {
    delivered: (thing: SummaryThing, at: string) =>
      ` и ${agreed(thing, 'был доставлен', 'было доставлено')} ${at}.`,
    read: (thing: SummaryThing, at: string) =>
      ` и ${agreed(thing, 'был прочитан', 'было прочитано')} ${at}.`,
    failed: (thing: SummaryThing) =>
      `, но не ${agreed(thing, 'был доставлен', 'было доставлено')}.`,
    refused: (_thing: SummaryThing) => ', но сообщение снова не приняли.',
    unknown: (_thing: SummaryThing) => '. Дошло ли сообщение, неизвестно.',
    unconfirmed: (_thing: SummaryThing) => '. Подтверждения доставки нет.',
    waiting: (_thing: SummaryThing) => '. Ждём подтверждения доставки.',
    nothing: '.',
  },
  /** The same as a sentence of its own, when there was one channel only. */
  alone: {
    delivered: (thing: SummaryThing, at: string) =>
      `${agreed(thing, 'Код доставлен', 'Сообщение доставлено')} ${at}.`,
    read: (thing: SummaryThing, at: string) =>
      `${agreed(thing, 'Код прочитан', 'Сообщение прочитано')} ${at}.`,
    failed: (thing: SummaryThing) =>
      `${agreed(thing, 'Код не доставлен', 'Сообщение не доставлено')}: телефон выключен, вне сети или не принимает такие сообщения.`,
    refused: (channel: Known) => `${TAKER[channel]} сообщение не принял.`,
    unknown: (_thing: SummaryThing) => 'Дошло ли сообщение, неизвестно.',
    unconfirmed: (_thing: SummaryThing) => 'Подтверждения доставки нет.',
    waiting: (_thing: SummaryThing) => 'Ждём подтверждения доставки.',
    notSent: (_thing: SummaryThing) => 'Отправить не удалось.',
    underWay: (_thing: SummaryThing) => 'Отправка ещё идёт.',
  },
  late: (at: string, channel: Known) => `Позже, ${at}, подтвердилась и доставка ${VIA[channel]}.`,
  verified: (at: string) => `Код введён верно ${at}.`,
  clicked: (at: string) => `Ссылку открыли ${at}.`,
  test: 'Это была тестовая отправка: на телефоны такие сообщения не приходят.',
};
