/**
 * Maps the command_status of a response to an outcome (SMPP 3.4, section 5.1.3), and that of a bind
 * to a text for the operator.
 */
import { type FailedOutcome, refused, unavailable, unknown } from '../../failed-outcome.ts';

export const STATUS_OK = 0x00;
export const INVALID_LENGTH = 0x02;
export const INVALID_COMMAND = 0x03;
/** The answer to a receipt that could not be stored: the centre sends it again. */
export const TRY_LATER = 0x64;

/** Rejected only because of the rate, so the same part may be sent again. */
const THROTTLED: ReadonlySet<number> = new Set([0x14, 0x58]);

const WRONG_FORM = 'Оператор не принял формат SMS';
const WRONG_SENDER = 'Оператор не принял имя отправителя';
const WRONG_PHONE = 'Оператор не принял номер получателя';
const NOT_ACCEPTED = 'Оператор не принял SMS';
const NO_BIND = 'Нет связи с оператором SMS';

const REFUSALS: Readonly<Record<number, FailedOutcome>> = {
  1: refused('SMS слишком длинное'),
  2: refused(WRONG_FORM),
  3: refused(WRONG_FORM),
  4: unavailable(NO_BIND),
  5: unavailable(NO_BIND),
  6: refused(WRONG_FORM),
  7: refused(WRONG_FORM),
  // A system error may have happened after the centre stored the message.
  8: unknown('Сбой у оператора SMS'),
  10: refused(WRONG_SENDER),
  11: refused(WRONG_PHONE),
  13: unavailable(NO_BIND),
  14: unavailable(NO_BIND),
  15: unavailable(NO_BIND),
  20: unavailable('Очередь оператора SMS переполнена'),
  21: refused(WRONG_FORM),
  67: refused(WRONG_FORM),
  69: refused(NOT_ACCEPTED),
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
  101: refused(NOT_ACCEPTED),
  102: refused(NOT_ACCEPTED),
  192: refused(WRONG_FORM),
  193: refused(WRONG_FORM),
  194: refused(WRONG_FORM),
  195: refused(WRONG_FORM),
  196: refused(WRONG_FORM),
  254: refused(NOT_ACCEPTED),
  255: unknown('Сбой у оператора SMS'),
};

/** What an operator's own statuses mean, which the standard leaves open (0x400 to 0x4FF). */
export type VendorStatuses = ReadonlyMap<number, VendorMeaning>;
type VendorMeaning = 'refused' | 'unavailable' | 'throttled' | 'unknown';

/** Reads `0x401:refused,0x402:throttled`. */
export function readVendorStatuses(text: string): VendorStatuses {
  return new Map(
    text.split(',').map((pair) => {
      const [status, meaning] = pair.split(':') as [string, string];
      return [Number(status), meaning.toLowerCase() as VendorMeaning];
    }),
  );
}

/** An unknown status is a refusal all the same. A meaning in the settings comes first. */
export function outcomeForStatus(status: number, statuses: VendorStatuses): FailedOutcome {
  const code = `код ${status.toString(16)}`;
  switch (statuses.get(status)) {
    case 'unavailable':
      return unavailable(`Оператор SMS временно не принимает сообщения (${code})`);
    case 'throttled':
      return unavailable(`Превышена скорость отправки SMS (${code})`);
    case 'unknown':
      return unknown(`Сбой у оператора SMS (${code})`);
    case 'refused':
      return refused(`Оператор отклонил SMS (${code})`);
    case undefined:
      return REFUSALS[status] ?? refused(`Оператор отклонил SMS (${code})`);
  }
}

export function isThrottled(status: number, statuses: VendorStatuses): boolean {
  const meaning = statuses.get(status);
  return meaning === undefined ? THROTTLED.has(status) : meaning === 'throttled';
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
