import { crc32 } from 'node:zlib';
import { randomText } from '../ids.ts';

/**
 * The text of an API key: zk_live_ or zk_test_, 32 random characters, 6 characters of checksum. By
 * the checksum a typo, junk, or a leak in a repository is recognised without asking the database.
 */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^zk_(?:live|test)_[0-9A-Za-z]{38}$/;

export function newKeyText(isTest: boolean): string {
  return keyText(isTest, randomText(BASE62, RANDOM_LENGTH));
}

/** The same text for the same bytes, of which there are as many as a key has random characters. */
export function keyTextOf(bytes: Buffer, isTest: boolean): string {
  const letters = Array.from(bytes.subarray(0, RANDOM_LENGTH), (byte) => BASE62[byte % 62]);
  return keyText(isTest, letters.join(''));
}

function keyText(isTest: boolean, random: string): string {
  const start = `zk_${isTest ? 'test' : 'live'}_${random}`;
  return start + checksum(start);
}

export function isKeyText(text: string): boolean {
  return (
    FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
  );
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

export function shownParts(text: string): { shownStart: string; shownEnd: string } {
  return { shownStart: text.slice(0, 12), shownEnd: text.slice(-4) };
}
