import type { Receipt } from '../channel.ts';
import { type FailedOutcome, refused, unavailable, unknown } from '../failed-outcome.ts';

const WRONG_CREDENTIALS = 'Оператор SMS не принял учётные данные сервиса';
const WRONG_SETTINGS = 'Оператор SMS настроен неверно';
const WRONG_MESSAGE = 'Оператор SMS не принял параметры сообщения';
const INTERNAL_ERROR = 'У оператора SMS произошла ошибка';

/**
 * The `code` of an answer to a send, other than 0. An internal error of Mobizon does not say how
 * far the message got, so the outcome is unknown.
 */
export const MOBIZON_CODES: Readonly<Record<string, FailedOutcome>> = {
  1: refused(WRONG_MESSAGE),
  2: refused(WRONG_MESSAGE),
  3: unknown(INTERNAL_ERROR),
  4: unavailable(WRONG_SETTINGS),
  5: unavailable(WRONG_SETTINGS),
  6: unavailable(WRONG_SETTINGS),
  8: unavailable(WRONG_CREDENTIALS),
  9: unavailable(WRONG_CREDENTIALS),
  10: unknown(INTERNAL_ERROR),
  11: refused(WRONG_MESSAGE),
  12: refused(WRONG_MESSAGE),
  13: unavailable(WRONG_SETTINGS),
  14: unavailable('Учётная запись у оператора SMS заблокирована'),
  15: unknown(INTERNAL_ERROR),
  30: unavailable('Оператор SMS просит отправлять реже'),
  98: unknown(INTERNAL_ERROR),
  99: refused('Оператор SMS не принял сообщение'),
  100: unknown('Оператор SMS отложил отправку'),
  999: unknown(INTERNAL_ERROR),
};

/** More precise reasons for validation error 1, by the invalid field. */
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
