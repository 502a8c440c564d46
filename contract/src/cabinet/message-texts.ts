import type { MessageState } from '../api/events.ts';
import type { MESSAGE_KINDS, PATH_OUTCOMES } from './message-words.ts';

/**
 * How the properties of a message are called, in lower case. Pages and exported files use the same
 * words. There is a constant for each language, so that a page carries one of them.
 */
type MessageTexts = {
  kinds: Record<(typeof MESSAGE_KINDS)[number] | 'otp_with_link', string>;
  states: Record<MessageState, string>;
  /** How far a message got on one channel. */
  outcomes: Record<(typeof PATH_OUTCOMES)[number], string>;
  modes: Record<'test' | 'live', string>;
};

export const MESSAGE_TEXTS_RU: MessageTexts = {
  kinds: {
    otp: 'код',
    otp_with_link: 'код и ссылка',
    link: 'ссылка',
    group: 'группа',
    broadcast: 'рассылка',
  },
  states: {
    queued: 'в очереди',
    sending: 'отправляется',
    sent: 'принято каналом',
    delivered: 'доставлено',
    read: 'прочитано',
    failed: 'не доставлено',
    unconfirmed: 'нет подтверждения — проверьте номер',
    unknown: 'исход неизвестен',
  },
  outcomes: {
    sending: 'отправляется',
    accepted: 'принято каналом',
    delivered: 'доставлено',
    unconfirmed: 'нет подтверждения',
    refused: 'отказ',
    failed: 'не доставлено',
  },
  modes: { test: 'тест', live: 'боевой' },
};

export const MESSAGE_TEXTS_KK: MessageTexts = {
  kinds: {
    otp: 'код',
    otp_with_link: 'код пен сілтеме',
    link: 'сілтеме',
    group: 'топ',
    broadcast: 'тарату',
  },
  states: {
    queued: 'кезекте',
    sending: 'жіберілуде',
    sent: 'арна қабылдады',
    delivered: 'жеткізілді',
    read: 'оқылды',
    failed: 'жеткізілмеді',
    unconfirmed: 'растау жоқ — нөмірді тексеріңіз',
    unknown: 'нәтижесі белгісіз',
  },
  outcomes: {
    sending: 'жіберілуде',
    accepted: 'арна қабылдады',
    delivered: 'жеткізілді',
    unconfirmed: 'растау жоқ',
    refused: 'бас тартты',
    failed: 'жеткізілмеді',
  },
  modes: { test: 'сынақ', live: 'нақты' },
};

export const MESSAGE_TEXTS_EN: MessageTexts = {
  kinds: {
    otp: 'code',
    otp_with_link: 'code and link',
    link: 'link',
    group: 'group',
    broadcast: 'broadcast',
  },
  states: {
    queued: 'queued',
    sending: 'sending',
    sent: 'accepted by the channel',
    delivered: 'delivered',
    read: 'read',
    failed: 'not delivered',
    unconfirmed: 'not confirmed — check the number',
    unknown: 'outcome unknown',
  },
  outcomes: {
    sending: 'sending',
    accepted: 'accepted by the channel',
    delivered: 'delivered',
    unconfirmed: 'not confirmed',
    refused: 'refused',
    failed: 'not delivered',
  },
  modes: { test: 'test', live: 'live' },
};
