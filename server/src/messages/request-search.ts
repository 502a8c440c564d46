import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { ERRORS } from '@zhiber/contract/api/errors.ts';
import { isId, type MessageId } from '../ids.ts';
import { type Phone, parsePhone } from '../phone.ts';

/** What a text that somebody searches the calls for can mean. */
export type RequestSearch =
  | { phone: Phone }
  | { lastDigits: string }
  | { status: number }
  | { path: string }
  | { errorCode: string }
  | { messageId: MessageId }
  /** A request id, or the beginning of the name of a key. */
  | { text: string };

/** As many last digits as every role sees of a masked phone. */
export const SHOWN_DIGITS = 4;
const LAST_DIGITS_MAX = 9;

export function readRequestSearch(raw: string): RequestSearch | undefined {
  const text = raw.trim();
  if (text === '') return undefined;
  if (isId(text.toLowerCase())) return { messageId: text.toLowerCase() as MessageId };
  if (/^[1-5]\d\d$/.test(text)) return { status: Number(text) };
  const path = pathOf(text);
  if (path !== undefined) return { path };
  if (text.toLowerCase() in ERRORS) return { errorCode: text.toLowerCase() };
  const digits = text.replaceAll(/[\s().\-•*]/g, '');
  if (/^\d+$/.test(digits) && digits.length >= SHOWN_DIGITS && digits.length <= LAST_DIGITS_MAX) {
    return { lastDigits: digits };
  }
  const facts = parsePhone(text);
  return facts === undefined ? { text } : { phone: facts.phone };
}

/** `/api/otp/send`, `/otp/send` and `otp/send` are the same path. */
function pathOf(text: string): string | undefined {
  const bare = text.toLowerCase().replace(/^\/?(api\/)?/, '/');
  const isKnown = Object.values(ENDPOINTS).some(({ path }) => path === bare);
  return isKnown ? `/api${bare}` : undefined;
}
