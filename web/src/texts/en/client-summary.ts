import { pluralEn } from '../plural.ts';
import type { clientSummary as model } from '../ru/client-summary.ts';

const NOUNS = {
  code: 'code',
  codeWithLink: 'message with a code and a link',
  link: 'message with a link',
  message: 'message',
} as const;
const VIA = { whatsapp: 'on WhatsApp', telegram: 'on Telegram', sms: 'by SMS' } as const;
const TAKER = { whatsapp: 'WhatsApp', telegram: 'Telegram', sms: 'The SMS operator' } as const;
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

export const clientSummary = {
  day: (day, month) => `On ${day} ${MONTHS[month - 1]}`,
  today: (clock) => `at ${clock}`,
  onDay: (day, clock) => `${day} at ${clock}`,
  seconds: (count) => `${count} ${pluralEn(count, 'second', 'seconds')}`,
  minutes: (count) => `${count} ${pluralEn(count, 'minute', 'minutes')}`,
  toPhone: (phone) => `to ${phone}`,
  toGroup: (name) => `to the group “${name}”`,
  sent: (at, thing, to, channel) => `${at} we sent a ${NOUNS[thing]} ${to} ${VIA[channel]}.`,
  tried: (at, thing, to) => `${at} we tried to send a ${NOUNS[thing]} ${to}.`,
  asked: (at, thing, to) => `${at} we were asked to send a ${NOUNS[thing]} ${to}.`,
  why: {
    unconfirmed: (_channel, span) => `There was no confirmation for ${span}`,
    failed: (channel) => `It could not be delivered ${VIA[channel]}`,
    refused: (channel) => `${TAKER[channel]} did not accept it`,
    unknown: (channel) => `${TAKER[channel]} did not answer`,
  },
  went: (why, thing, channel) => `${why}, so the ${NOUNS[thing]} went ${VIA[channel]}`,
  attempted: (why, channel) => `${why}, so we tried to send it ${VIA[channel]}`,
  end: {
    delivered: (_thing, at) => ` and was delivered ${at}.`,
    read: (_thing, at) => ` and was read ${at}.`,
    failed: () => ', but it was not delivered.',
    refused: () => ', but it was not accepted there either.',
    unknown: () => '. It is not known whether it arrived.',
    unconfirmed: () => '. Its delivery is not confirmed.',
    waiting: () => '. We are waiting for confirmation.',
    nothing: '.',
  },
  alone: {
    delivered: (_thing, at) => `It was delivered ${at}.`,
    read: (_thing, at) => `It was read ${at}.`,
    failed: () =>
      'It was not delivered: the phone is off, out of reach or does not accept such messages.',
    refused: (channel) => `${TAKER[channel]} did not accept it.`,
    unknown: () => 'It is not known whether it arrived.',
    unconfirmed: () => 'Its delivery is not confirmed.',
    waiting: () => 'We are waiting for confirmation.',
    notSent: () => 'It could not be sent.',
    underWay: () => 'It is still being sent.',
  },
  late: (at, channel) => `Later, ${at}, its delivery ${VIA[channel]} was confirmed as well.`,
  verified: (at) => `The code was entered correctly ${at}.`,
  clicked: (at) => `The link was opened ${at}.`,
  test: 'This was a test: such messages are not sent to phones.',
} satisfies typeof model;
