import type { AttemptRef } from '../channel.ts';
import { readRefText } from '../ref-text.ts';

/**
 * SMSC lets the sender name a message: by a number of 32 bits, or by up to 40 characters of Latin
 * letters, digits and `.-_`. The number is too small, because a hash of our reference would meet
 * another one after some tens of thousands of messages, and receipts would go to the wrong message.
 * The text is just large enough for the reference itself, with its numbers in base 36: at most
 * 10 + 1 + 3 + 1 + 25 characters. So no two attempts share a name, a receipt says which attempt it
 * is of even when nobody knew that it was accepted, and nothing has to be remembered.
 */
const FORM = /^([0-9a-z]{1,10})\.([0-9a-z]{1,3})\.([0-9a-z]{25})$/;
const UUID_LENGTH = 25;

export function smscId({ companyId, attempt, messageId }: AttemptRef): string {
  const uuid = BigInt(`0x${messageId.replaceAll('-', '')}`);
  const name = uuid.toString(36).padStart(UUID_LENGTH, '0');
  return `${companyId.toString(36)}.${attempt.toString(36)}.${name}`;
}

/** Undefined for a name that is none of ours: somebody else uses the same account. */
export function readSmscId(text: string): AttemptRef | undefined {
  const [, companyId, attempt, name] = FORM.exec(text) ?? [];
  if (companyId === undefined || attempt === undefined || name === undefined) return undefined;
  const ref = readRefText(
    `${Number.parseInt(companyId, 36)}.${Number.parseInt(attempt, 36)}.${uuidOf(name)}`,
  );
  return ref !== undefined && smscId(ref) === text ? ref : undefined;
}

function uuidOf(name: string): string {
  const value = [...name].reduce(
    (sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)),
    0n,
  );
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
