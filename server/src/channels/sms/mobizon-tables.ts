import type { Receipt } from '../channel.ts';
import { refused, unavailable, unknown, type Verdict } from '../verdict.ts';

const NOT_OUR_ACCOUNT = 'Оператор SMS не принял учётные данные сервиса';
const WRONG_SET_UP = 'Оператор SMS настроен неверно';
const WRONG_MESSAGE = 'Оператор SMS не принял параметры сообщения';
const TROUBLE = 'У оператора SMS произошла ошибка';

/**
 * `code` of an answer to a message, other than 0. Where Mobizon speaks of an error of its own, it
 * does not say how far it had got: nobody knows whether the message goes out.
 */
export const MOBIZON_CODES: Readonly<Record<string, Verdict>> = {
  1: refused(WRONG_MESSAGE),
  2: refused(WRONG_MESSAGE),
  3: unknown(TROUBLE),
  4: unavailable(WRONG_SET_UP),
  5: unavailable(WRONG_SET_UP),
  6: unavailable(WRONG_SET_UP),
  8: unavailable(NOT_OUR_ACCOUNT),
  9: unavailable(NOT_OUR_ACCOUNT),
  10: unknown(TROUBLE),
  11: refused(WRONG_MESSAGE),
  12: refused(WRONG_MESSAGE),
  13: unavailable(WRONG_SET_UP),
  14: unavailable('Учётная запись у оператора SMS заблокирована'),
  15: unknown(TROUBLE),
  30: unavailable('Оператор SMS просит отправлять реже'),
  98: unknown(TROUBLE),
  99: refused('Оператор SMS не принял сообщение'),
  100: unknown('Оператор SMS отложил отправку'),
  999: unknown(TROUBLE),
};

/** Which field the validation error 1 is about, where that tells more. */
export const MOBIZON_FIELDS: Readonly<Record<string, string>> = {
  recipient: 'Неверный номер телефона',
  text: 'Оператор SMS не принял текст сообщения',
  from: 'Имя отправителя не зарегистрировано у оператора SMS',
};

export const MOBIZON_UNDER_WAY: ReadonlySet<string> = new Set([
  'NEW',
  'ENQUEUD',
  'ACCEPTD',
  'PDLIVRD',
]);

export const MOBIZON_STATUSES: Readonly<Record<string, { receipt: Receipt; reason?: string }>> = {
  DELIVRD: { receipt: 'delivered' },
  UNDELIV: { receipt: 'failed', reason: 'SMS не доставлено' },
  REJECTD: { receipt: 'failed', reason: 'Оператор отклонил SMS: неверный номер, текст или имя' },
  EXPIRED: {
    receipt: 'failed',
    reason: 'SMS не доставлено вовремя: телефон выключен или вне сети',
  },
  DELETED: { receipt: 'failed', reason: 'Оператор удалил SMS' },
};
