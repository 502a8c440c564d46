import { createHash } from 'node:crypto';
import { randomText } from '../ids.ts';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const LENGTH = 24;

/** Of the letters that a link of Telegram may carry, and told from any other word by its beginning. */
export function newInvitationWord(): string {
  return `group-${randomText(ALPHABET, LENGTH)}`;
}

/** What is kept of a word. 139 random bits need no slow hash. */
export function hashOfWord(word: string): Buffer {
  return createHash('sha256').update(word).digest();
}
