import { randomText } from '../../ids.ts';
import type { Secrets } from '../../secrets.ts';

// Without the letters and digits that people take for one another.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODES = 10;
const HALF_LENGTH = 5;

export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => `${half()}-${half()}`);
}

function half(): string {
  return randomText(ALPHABET, HALF_LENGTH);
}

/** However it was typed: in capitals, with spaces, without its dash. */
export function macOfRecoveryCode(secrets: Secrets, typed: string): Buffer {
  return secrets.macOfProof('recovery code', typed.toLowerCase().replaceAll(/[\s-]/g, ''));
}
