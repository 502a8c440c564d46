import type { Receipt } from '../channel.ts';
import { type FailedOutcome, refused, unavailable } from '../failed-outcome.ts';

/** The `error_code` of an answer to a send: the message was not accepted. */
export const SMSC_ERRORS: Readonly<Record<string, FailedOutcome>> = {
  1: refused('Оператор SMS не принял параметры сообщения'),
  2: unavailable('Оператор SMS не принял учётные данные сервиса'),
  3: unavailable('На счёте у оператора SMS нет денег'),
  4: unavailable('Оператор SMS временно заблокировал сервис'),
  5: refused('Оператор SMS не принял дату сообщения'),
  6: refused('Оператор SMS запретил этот текст или имя отправителя'),
  7: refused('Неверный номер телефона'),
  8: refused('На этот номер нельзя доставить SMS'),
  9: refused('Оператор SMS просит подождать: такое же SMS уже было, или их сразу слишком много'),
};

/** The message is waiting at SMSC or at the operator: not final. */
export const SMSC_UNDER_WAY: ReadonlySet<string> = new Set(['-2', '-1', '0']);

export const SMSC_NOT_FOUND = '-3';

/** Statuses of messages that were never sent; they correspond to send errors 7, 6 and 3. */
export const SMSC_REFUSALS: ReadonlySet<string> = new Set(['22', '23', '24']);

/**
 * The final statuses. 2 says that it was read and 4 that its link was opened: an SMS has no receipt
 * for that, so it was delivered.
 */
export const SMSC_STATUSES: Readonly<Record<string, { receipt: Receipt; reason?: string }>> = {
  1: { receipt: 'delivered' },
  2: { receipt: 'delivered' },
  3: { receipt: 'failed', reason: 'SMS не доставлено вовремя: телефон выключен или вне сети' },
  4: { receipt: 'delivered' },
  20: { receipt: 'failed', reason: 'SMS невозможно доставить' },
  22: { receipt: 'failed', reason: 'Неверный номер телефона' },
  23: { receipt: 'failed', reason: 'Оператор запретил это SMS' },
  24: { receipt: 'failed', reason: 'На счёте у оператора SMS нет денег' },
  25: { receipt: 'failed', reason: 'Номер не принимает SMS' },
};
