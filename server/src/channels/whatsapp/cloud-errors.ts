/**
 * What Meta's error codes mean for a message. Follows the page "Error codes" of the WhatsApp
 * Business Platform (developers.facebook.com, support/error-codes), which asks to decide by the
 * code and not by the HTTP status. The same codes come in an answer and in a `failed` status.
 */

import { asObject, readObject } from '../http/json-object.ts';
import { refused, unavailable, unknown, type Verdict } from '../verdict.ts';

const ACCESS = unavailable('WhatsApp не принимает ключ доступа');
const PERMISSION = unavailable('У ключа доступа нет права отправлять сообщения WhatsApp');
const RATE = unavailable('Достигнут лимит отправки WhatsApp');
const SENDER = unavailable('Номер отправителя WhatsApp не работает');
const RESTRICTED = unavailable('WhatsApp ограничил аккаунт отправителя');
const TROUBLE = unknown('Сбой на стороне WhatsApp');
const FORM = refused('WhatsApp не принял содержание сообщения');
const TEMPLATE_VALUES = refused('Сообщение не подошло к шаблону WhatsApp');
const TEMPLATE_STOPPED = refused('Шаблон сообщения WhatsApp приостановлен');

const UNCLEAR = unknown('WhatsApp ответил непонятно');

const VERDICTS: ReadonlyMap<number, Verdict> = new Map([
  [0, ACCESS],
  [190, ACCESS],
  [3, PERMISSION],
  [10, PERMISSION],
  [131005, PERMISSION],
  [4, RATE],
  [80007, RATE],
  [130429, RATE],
  [133016, RATE],
  [131048, unavailable('WhatsApp ограничил отправку из-за жалоб на спам')],
  // It concerns this recipient alone: the sender goes on with everybody else.
  [131056, refused('Слишком много сообщений WhatsApp на этот номер подряд')],
  [1, TROUBLE],
  [2, TROUBLE],
  [131000, TROUBLE],
  [131016, TROUBLE],
  [133004, TROUBLE],
  [131057, unavailable('WhatsApp обслуживает аккаунт отправителя')],
  [33, SENDER],
  [133010, SENDER],
  [131045, SENDER],
  [131042, unavailable('Не оплачен аккаунт WhatsApp')],
  [131031, RESTRICTED],
  [368, RESTRICTED],
  [130497, refused('WhatsApp не разрешает писать в эту страну')],
  [100, FORM],
  [131008, FORM],
  [131009, FORM],
  [131051, FORM],
  [135000, FORM],
  [131021, refused('Это номер самого отправителя')],
  [131026, refused('У этого номера нет WhatsApp, или он не может принять сообщение')],
  [131047, refused('Получатель не писал компании последние 24 часа')],
  [131049, refused('WhatsApp решил не доставлять это сообщение')],
  [130472, refused('WhatsApp решил не доставлять это сообщение')],
  [131050, refused('Получатель отказался от рассылок')],
  [131062, refused('Такое сообщение можно отправить только на номер телефона')],
  [132000, TEMPLATE_VALUES],
  [132012, TEMPLATE_VALUES],
  [132005, refused('Текст слишком длинный для шаблона WhatsApp')],
  [132007, refused('Содержание нарушает правила WhatsApp')],
  [132001, refused('Нет одобренного шаблона WhatsApp на этом языке')],
  [132015, TEMPLATE_STOPPED],
  [132016, TEMPLATE_STOPPED],
]);

/** Undefined for a code that the page does not name. */
function verdictOf(code: number): Verdict | undefined {
  // All of these say that a permission is missing.
  return code >= 200 && code <= 299 ? PERMISSION : VERDICTS.get(code);
}

/** The code in an answer of the Graph API; undefined when it is no error of theirs. */
export function errorCodeIn(text: string): number | undefined {
  const code = asObject(readObject(text)?.error)?.code;
  return typeof code === 'number' ? code : undefined;
}

/** What an answer that is no success comes to. */
export function readRefusal({ status, text }: { status: number; text: string }): Verdict {
  // An error within a success says that something is broken, not that nothing was sent.
  const code = status >= 400 ? errorCodeIn(text) : undefined;
  const verdict = code === undefined ? undefined : verdictOf(code);
  if (verdict !== undefined) return verdict;
  if (status === 429) return RATE;
  if (code === undefined || status >= 500) return UNCLEAR;
  return refused(`WhatsApp отказал в отправке (код ${code})`);
}

/** Why a message that was accepted has not arrived. */
export function failureReason(code: unknown): string {
  if (typeof code !== 'number') return 'WhatsApp не доставил сообщение';
  return verdictOf(code)?.reason ?? `WhatsApp не доставил сообщение (код ${code})`;
}
