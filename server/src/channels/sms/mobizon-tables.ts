import type { Outcome, Receipt } from '../channel.ts';

const NOT_OUR_ACCOUNT = 'Оператор SMS не принял учётные данные сервиса';
const WRONG_SET_UP = 'Оператор SMS настроен неверно';
const WRONG_MESSAGE = 'Оператор SMS не принял параметры сообщения';
const TROUBLE = 'У оператора SMS произошла ошибка';

/**
 * `code` of an answer to a message, other than 0. Where Mobizon speaks of an error of its own, it
 * does not say how far it had got: nobody knows whether the message goes out.
 */
export const MOBIZON_CODES: Readonly<Record<string, Outcome>> = {
  1: { result: 'refused', reason: WRONG_MESSAGE },
  2: { result: 'refused', reason: WRONG_MESSAGE },
  3: { result: 'unknown', reason: TROUBLE },
  4: { result: 'unavailable', reason: WRONG_SET_UP },
  5: { result: 'unavailable', reason: WRONG_SET_UP },
  6: { result: 'unavailable', reason: WRONG_SET_UP },
  8: { result: 'unavailable', reason: NOT_OUR_ACCOUNT },
  9: { result: 'unavailable', reason: NOT_OUR_ACCOUNT },
  10: { result: 'unknown', reason: TROUBLE },
  11: { result: 'refused', reason: WRONG_MESSAGE },
  12: { result: 'refused', reason: WRONG_MESSAGE },
  13: { result: 'unavailable', reason: WRONG_SET_UP },
  14: { result: 'unavailable', reason: 'Учётная запись у оператора SMS заблокирована' },
  15: { result: 'unknown', reason: TROUBLE },
  30: { result: 'unavailable', reason: 'Оператор SMS просит отправлять реже' },
  98: { result: 'unknown', reason: TROUBLE },
  99: { result: 'refused', reason: 'Оператор SMS не принял сообщение' },
  100: { result: 'unknown', reason: 'Оператор SMS отложил отправку' },
  999: { result: 'unknown', reason: TROUBLE },
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
