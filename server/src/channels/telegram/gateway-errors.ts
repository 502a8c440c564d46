import { refused, unavailable, type Verdict } from '../verdict.ts';
import { TOO_FAST } from './outcomes.ts';

const WRONG_CODE = refused('Telegram принимает только код из 4–8 цифр');
const WRONG_KEY = unavailable('Telegram Gateway не принял ключ доступа');
/** The same for every message until the operator has changed it. */
const WRONG_SETTINGS = unavailable('Telegram Gateway настроен неверно');

/** Only the first is in the vendor's text; the others are what clients of the Gateway have met. */
const ERRORS: Readonly<Record<string, Verdict>> = {
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

/** What an error of the Gateway means for the message: in every case it was not sent. */
export function refusalOf(error: string): Verdict {
  if (!ERROR_NAME.test(error)) return refused('Telegram отклонил код');
  // How long to wait stands at the end of the name: FLOOD_WAIT_7.
  return ERRORS[error.replace(/_\d+$/, '')] ?? refused(`Telegram отклонил код (${error})`);
}
