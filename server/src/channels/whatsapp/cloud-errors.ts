/**
 * Maps Meta's error codes to outcomes. Follows the page "Error codes" of the WhatsApp Business
 * Platform (developers.facebook.com, support/error-codes), which says to decide by the code and not
 * by the HTTP status. The same codes come in an answer and in a `failed` status.
 */

import { asObject, readObject } from '../../json-object.ts';
import { type FailedOutcome, refused, unavailable, unknown } from '../failed-outcome.ts';

/** The person has switched the marketing messages of this business off in WhatsApp. */
export const USER_STOPPED = 131050;

const BAD_TOKEN = unavailable('WhatsApp не принимает ключ доступа');
const NO_PERMISSION = unavailable('У ключа доступа нет права отправлять сообщения WhatsApp');
const RATE_LIMITED = unavailable('Достигнут лимит отправки WhatsApp');
const BAD_SENDER = unavailable('Номер отправителя WhatsApp не работает');
const RESTRICTED = unavailable('WhatsApp ограничил аккаунт отправителя');
const INTERNAL_ERROR = unknown('Сбой на стороне WhatsApp');
const BAD_CONTENT = refused('WhatsApp не принял содержание сообщения');
const TEMPLATE_VALUES = refused('Сообщение не подошло к шаблону WhatsApp');
const TEMPLATE_STOPPED = refused('Шаблон сообщения WhatsApp приостановлен');

const UNCLEAR = unknown('WhatsApp ответил непонятно');

const OUTCOMES: ReadonlyMap<number, FailedOutcome> = new Map([
  [0, BAD_TOKEN],
  [190, BAD_TOKEN],
  [3, NO_PERMISSION],
  [10, NO_PERMISSION],
  [131005, NO_PERMISSION],
  [4, RATE_LIMITED],
  [80007, RATE_LIMITED],
  [130429, RATE_LIMITED],
  [133016, RATE_LIMITED],
  [131048, unavailable('WhatsApp ограничил отправку из-за жалоб на спам')],
  // A limit per recipient: the sender can still write to everybody else.
  [131056, refused('Слишком много сообщений WhatsApp на этот номер подряд')],
  [1, INTERNAL_ERROR],
  [2, INTERNAL_ERROR],
  [131000, INTERNAL_ERROR],
  [131016, INTERNAL_ERROR],
  [133004, INTERNAL_ERROR],
  [131057, unavailable('WhatsApp обслуживает аккаунт отправителя')],
  [33, BAD_SENDER],
  [133010, BAD_SENDER],
  [131045, BAD_SENDER],
  [131042, unavailable('Не оплачен аккаунт WhatsApp')],
  [131031, RESTRICTED],
  [368, RESTRICTED],
  [130497, refused('WhatsApp не разрешает писать в эту страну')],
  [100, BAD_CONTENT],
  [131008, BAD_CONTENT],
  [131009, BAD_CONTENT],
  [131051, BAD_CONTENT],
  [135000, BAD_CONTENT],
  [131021, refused('Это номер самого отправителя')],
  [131026, refused('У этого номера нет WhatsApp, или он не может принять сообщение')],
  [131047, refused('Получатель не писал компании последние 24 часа')],
  [131049, refused('WhatsApp решил не доставлять это сообщение')],
  [130472, refused('WhatsApp решил не доставлять это сообщение')],
  [
    USER_STOPPED,
    { result: 'refused', reason: 'Получатель отказался от рассылок', isUnsubscribed: true },
  ],
  [131062, refused('Такое сообщение можно отправить только на номер телефона')],
  [132000, TEMPLATE_VALUES],
  [132012, TEMPLATE_VALUES],
  [132005, refused('Текст слишком длинный для шаблона WhatsApp')],
  [132007, refused('Содержание нарушает правила WhatsApp')],
  [132001, refused('Нет одобренного шаблона WhatsApp на этом языке')],
  [132015, TEMPLATE_STOPPED],
  [132016, TEMPLATE_STOPPED],
]);

/** Undefined for a code that is not documented. */
function findOutcome(code: number): FailedOutcome | undefined {
  // All of 200 to 299 mean that a permission is missing.
  return code >= 200 && code <= 299 ? NO_PERMISSION : OUTCOMES.get(code);
}

/** The error code in an answer of the Graph API; undefined when there is none. */
export function errorCodeIn(text: string): number | undefined {
  const code = asObject(readObject(text)?.error)?.code;
  return typeof code === 'number' ? code : undefined;
}

/** The outcome of an answer without a message id. */
export function readRefusal({ status, text }: { status: number; text: string }): FailedOutcome {
  // An error in a 2xx answer does not prove that nothing was sent.
  const code = status >= 400 ? errorCodeIn(text) : undefined;
  const known = code === undefined ? undefined : findOutcome(code);
  if (known !== undefined) return known;
  if (status === 429) return RATE_LIMITED;
  if (code === undefined || status >= 500) return UNCLEAR;
  return refused(`WhatsApp отказал в отправке (код ${code})`);
}

/** The reason of a `failed` status, for the history. */
export function failureReason(code: unknown): string {
  if (typeof code !== 'number') return 'WhatsApp не доставил сообщение';
  return findOutcome(code)?.reason ?? `WhatsApp не доставил сообщение (код ${code})`;
}
