/**
 * What the command_status of a response means for a message (SMPP 3.4, section 5.1.3), and in words
 * for whoever sets the link up.
 */
import { refused, unavailable, unknown, type Verdict } from '../../verdict.ts';

export const STATUS_OK = 0x00;
export const INVALID_LENGTH = 0x02;
export const INVALID_COMMAND = 0x03;
/** "Not now, repeat it": what a receipt is answered with when it could not be stored. */
export const TRY_LATER = 0x64;

/** Nothing was taken because too much came at once: the same part may be sent once more. */
const THROTTLED: ReadonlySet<number> = new Set([0x14, 0x58]);

const WRONG_FORM = 'Оператор не принял формат SMS';
const WRONG_SENDER = 'Оператор не принял имя отправителя';
const WRONG_PHONE = 'Оператор не принял номер получателя';
const NOT_TAKEN = 'Оператор не принял SMS';
const NO_BIND = 'Нет связи с оператором SMS';

const REFUSALS: Readonly<Record<number, Verdict>> = {
  1: refused('SMS слишком длинное'),
  2: refused(WRONG_FORM),
  3: refused(WRONG_FORM),
  4: unavailable(NO_BIND),
  5: unavailable(NO_BIND),
  6: refused(WRONG_FORM),
  7: refused(WRONG_FORM),
  // A fault inside of the centre may have come after the message was stored.
  8: unknown('Сбой у оператора SMS'),
  10: refused(WRONG_SENDER),
  11: refused(WRONG_PHONE),
  13: unavailable(NO_BIND),
  14: unavailable(NO_BIND),
  15: unavailable(NO_BIND),
  20: unavailable('Очередь оператора SMS переполнена'),
  21: refused(WRONG_FORM),
  67: refused(WRONG_FORM),
  69: refused(NOT_TAKEN),
  72: refused(WRONG_SENDER),
  73: refused(WRONG_SENDER),
  80: refused(WRONG_PHONE),
  81: refused(WRONG_PHONE),
  83: unavailable(NO_BIND),
  84: refused(WRONG_FORM),
  88: unavailable('Превышена скорость отправки SMS'),
  97: refused(WRONG_FORM),
  98: refused(WRONG_FORM),
  99: refused(WRONG_FORM),
  100: unavailable('Оператор SMS временно не принимает сообщения'),
  101: refused(NOT_TAKEN),
  102: refused(NOT_TAKEN),
  192: refused(WRONG_FORM),
  193: refused(WRONG_FORM),
  194: refused(WRONG_FORM),
  195: refused(WRONG_FORM),
  196: refused(WRONG_FORM),
  254: refused(NOT_TAKEN),
  255: unknown('Сбой у оператора SMS'),
};

export function refusalOf(status: number): Verdict {
  return REFUSALS[status] ?? refused(`Оператор отклонил SMS (код ${status.toString(16)})`);
}

export function isThrottled(status: number): boolean {
  return THROTTLED.has(status);
}

const BIND_REFUSALS: Readonly<Record<number, string>> = {
  5: 'it says that we are bound already',
  13: 'it refused the bind',
  14: 'the password is wrong',
  15: 'the system id is wrong',
  83: 'the system type is wrong',
  88: 'it says that we bind too often',
};

/** Why a bind failed, for the operator. */
export function bindRefusal(status: number): string {
  return BIND_REFUSALS[status] ?? `it refused the bind with status 0x${status.toString(16)}`;
}
