/**
 * The end of an unsubscribe link. It names the row of a recipient and proves that the link is ours,
 * so nothing is stored for it. A text message carries it, so it is short: the number of the row and
 * 48 bits of a MAC, in base 58.
 */
import type { Secrets } from '../../secrets.ts';
import { isSameSecret } from '../../token.ts';

// Without 0 O I l, which look alike.
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);
/** Hopeless to guess at the rate of a public page. */
const MAC_BITS = 48n;
/** No token begins with the digit 0, so each has one spelling. */
const TOKEN = /^[2-9A-HJ-NP-Za-km-z][1-9A-HJ-NP-Za-km-z]{8,17}$/;

type Mac = Pick<Secrets, 'macOfUnsubscribeLink'>;

/** `rowId` is the identity of the row in `broadcast_row`. */
export function makeToken(secrets: Mac, rowId: number): string {
  let rest = (BigInt(rowId) << MAC_BITS) | macOf(secrets, rowId);
  let token = '';
  for (; rest > 0n; rest /= BASE) token = ALPHABET[Number(rest % BASE)] + token;
  return token;
}

/** Undefined when the token is not one of ours. */
export function readToken(secrets: Mac, token: string): number | undefined {
  if (!TOKEN.test(token)) return undefined;
  let value = 0n;
  for (const digit of token) value = value * BASE + BigInt(ALPHABET.indexOf(digit));
  const rowId = Number(value >> MAC_BITS);
  if (rowId < 1 || !Number.isSafeInteger(rowId)) return undefined;
  return isSameSecret(token, makeToken(secrets, rowId)) ? rowId : undefined;
}

function macOf(secrets: Mac, rowId: number): bigint {
  const bytes = Number(MAC_BITS / 8n);
  return BigInt(secrets.macOfUnsubscribeLink(rowId).readUIntBE(0, bytes));
}
