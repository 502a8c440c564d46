import { randomInt } from 'node:crypto';

/** A code of evenly distributed digits, as text: leading zeros count. */
export function newCode(length: number): string {
  return randomInt(10 ** length)
    .toString()
    .padStart(length, '0');
}

/** What a person typed, without the spaces and dashes of how it was shown. */
export function readCode(typed: string): string {
  return typed.replace(/[ -]/g, '');
}
