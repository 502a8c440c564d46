import { type FailedOutcome, refused, unavailable } from '../failed-outcome.ts';
import { TOO_FAST } from './outcomes.ts';

const WRONG_CODE = refused('Telegram принимает только код из 4–8 цифр');
const WRONG_KEY = unavailable('Telegram Gateway не принял ключ доступа');
/** Every message fails until the operator has fixed the settings. */
const WRONG_SETTINGS = unavailable('Telegram Gateway настроен неверно');

/** Only the first is documented; the others were seen by clients of the Gateway. */
const ERRORS: Readonly<Record<string, FailedOutcome>> = {
  ACCESS_TOKEN_INVALID: WRONG_KEY,
  ACCESS_TOKEN_REQUIRED: WRONG_KEY,
  BALANCE_NOT_ENOUGH: unavailable('На счёте Telegram Gateway закончились деньги'),
  FLOOD_WAIT: TOO_FAST,
  PHONE_NUMBER_NOT_FOUND: refused('У этого номера нет Telegram'),
  PHONE_NUMBER_INVALID: refused('Telegram не признал этот номер телефона'),
  CODE_INVALID: WRONG_CODE,
  CODE_LENGTH_INVALID: WRONG_CODE,
  CODE_LENGTH_REQUIRED: WRONG_CODE,
  CALLBACK_URL_INVALID: WRONG_SETTINGS,
  SENDER_NOT_OWNED: WRONG_SETTINGS,
  SENDER_NOT_VERIFIED: WRONG_SETTINGS,
  SENDER_USERNAME_INVALID: WRONG_SETTINGS,
  UNKNOWN_METHOD: WRONG_SETTINGS,
};

const ERROR_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

/** The outcome for an error of the Gateway. In every case the message was not sent. */
export function outcomeForError(error: string): FailedOutcome {
  if (!ERROR_NAME.test(error)) return refused('Telegram отклонил код');
  // The name may end with the seconds to wait: FLOOD_WAIT_7.
  return ERRORS[error.replace(/_\d+$/, '')] ?? refused(`Telegram отклонил код (${error})`);
}
