import type { AttemptRef } from './channel.ts';
import { readRefText } from './ref-text.ts';

/**
 * The reference as short as it can be, for providers that take an id of the sender. SMSC takes a
 * 32-bit number, or up to 40 Latin letters, digits and `.-_`, and others hardly less. The number is
 * too small: hashes of our references would collide after some tens of thousands of messages, and
 * receipts would go to the wrong message. The text has just enough room for the reference itself,
 * with its numbers in base 36: at most 10 + 1 + 3 + 1 + 25 characters. So no two attempts share an
 * id, a receipt identifies its attempt even when the acceptance was unknown, and nothing has to be
 * stored.
 */
const SHORT_REF = /^([0-9a-z]{1,10})\.([0-9a-z]{1,3})\.([0-9a-z]{25})$/;
const UUID_LENGTH = 25;

export function shortRefText({ companyId, attempt, messageId }: AttemptRef): string {
  const uuid = BigInt(`0x${messageId.replaceAll('-', '')}`);
  const uuid36 = uuid.toString(36).padStart(UUID_LENGTH, '0');
  return `${companyId.toString(36)}.${attempt.toString(36)}.${uuid36}`;
}

/** Undefined for an id that is not ours: others may use the same account. */
export function readShortRefText(text: string): AttemptRef | undefined {
  const [, companyId, attempt, uuid36] = SHORT_REF.exec(text) ?? [];
  if (companyId === undefined || attempt === undefined || uuid36 === undefined) return undefined;
  const ref = readRefText(
    `${Number.parseInt(companyId, 36)}.${Number.parseInt(attempt, 36)}.${parseUuid(uuid36)}`,
  );
  return ref !== undefined && shortRefText(ref) === text ? ref : undefined;
}

function parseUuid(uuid36: string): string {
  const value = [...uuid36].reduce(
    (sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)),
    0n,
  );
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
