import type { RecipientOutcome, SkipReason } from './broadcast-words.ts';

/**
 * What became of a recipient, in lower case. Pages and exported files use the same words. There is a
 * constant for each language, so that a page carries one of them.
 */
type RecipientTexts = {
  outcomes: Record<RecipientOutcome, string>;
  skipped: Record<SkipReason, string>;
};

export const RECIPIENT_TEXTS_RU: RecipientTexts = {
  outcomes: {
    waiting: 'в очереди',
    sending: 'отправляется',
    sent: 'принято каналом',
    delivered: 'доставлено',
    read: 'прочитано',
    failed: 'не доставлено',
    unknown: 'исход неизвестен',
    skipped: 'не отправлялось',
  },
  skipped: {
    unsubscribed: 'отписался до отправки',
    cancelled: 'рассылка остановлена',
    text_too_long: 'текст не помещается в SMS',
    no_channel: 'ни один канал не был доступен',
  },
};

export const RECIPIENT_TEXTS_KK: RecipientTexts = {
  outcomes: {
    waiting: 'кезекте',
    sending: 'жіберілуде',
    sent: 'арна қабылдады',
    delivered: 'жеткізілді',
    read: 'оқылды',
    failed: 'жеткізілмеді',
    unknown: 'нәтижесі белгісіз',
    skipped: 'жіберілмеді',
  },
  skipped: {
    unsubscribed: 'жіберілгенге дейін бас тартқан',
    cancelled: 'тарату тоқтатылды',
    text_too_long: 'мәтін SMS-ке сыймайды',
    no_channel: 'бірде-бір арна қолжетімді болмады',
  },
};

export const RECIPIENT_TEXTS_EN: RecipientTexts = {
  outcomes: {
    waiting: 'waiting',
    sending: 'sending',
    sent: 'accepted by the channel',
    delivered: 'delivered',
    read: 'read',
    failed: 'not delivered',
    unknown: 'outcome unknown',
    skipped: 'not sent',
  },
  skipped: {
    unsubscribed: 'unsubscribed before it was sent',
    cancelled: 'the broadcast was stopped',
    text_too_long: 'the text does not fit into an SMS',
    no_channel: 'no channel was available',
  },
};
