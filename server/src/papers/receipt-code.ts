import type { Secrets } from '../secrets.ts';
import { isSameSecret } from '../token.ts';

/** 64 bits: hopeless to guess at the rate of a public page, and short enough to type from paper. */
const TOKEN_LENGTH = 16;
const CODE = /^([1-9]\d{0,14})-([0-9a-f]{16})$/;

/** The number of a receipt and what only its paper tells, so that nobody can walk the numbers. */
export function receiptCode(secrets: Pick<Secrets, 'macOfPaper'>, number: number): string {
  return `${number}-${tokenOf(secrets, number)}`;
}

/** The number; undefined when the code is not from a paper of ours. */
export function readReceiptCode(
  secrets: Pick<Secrets, 'macOfPaper'>,
  code: string,
): number | undefined {
  const [, digits, token] = CODE.exec(code.toLowerCase()) ?? [];
  const number = Number(digits);
  return digits !== undefined && isSameSecret(token, tokenOf(secrets, number)) ? number : undefined;
}

function tokenOf(secrets: Pick<Secrets, 'macOfPaper'>, number: number): string {
  return secrets.macOfPaper(`receipt\n${number}`).toString('hex').slice(0, TOKEN_LENGTH);
}
