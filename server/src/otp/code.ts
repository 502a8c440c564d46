import { randomInt } from 'node:crypto';

/** A uniformly random code, as text because leading zeros count. */
export function newCode(length: number): string {
  return randomInt(10 ** length)
    .toString()
    .padStart(length, '0');
}

/** Removes the spaces and dashes that people type between the digits. */
export function readCode(typed: string): string {
  return typed.replace(/[ -]/g, '');
}
