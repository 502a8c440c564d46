/**
 * How soon a password would be guessed. Loaded by the process that hashes passwords, and only there:
 * its word lists take a third of a second to load, and a long password as long to judge.
 */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { COMMON_PASSWORDS } from './common-passwords.ts';

export type PasswordVerdict = 'fine' | 'weak' | 'personal';

/** What is known about the person who chooses the password. */
export type PersonalFacts = {
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
};

/** The time to judge a password grows with its length. Nobody guesses the first 64 characters. */
const JUDGED_LENGTH_MAX = 64;
/** Fewer guesses than this are possible even against the limits of the sign-in. */
const GUESSES_MIN = 1e6;
const PRODUCT = ['zhiber', 'жибер', 'жібер'];
/** Shorter words are part of too many others. */
const WORD_LENGTH_MIN = 3;

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...dictionary, local: COMMON_PASSWORDS },
  graphs: adjacencyGraphs,
  maxLength: JUDGED_LENGTH_MAX,
});

/**
 * Whether a password is among the first guesses, or becomes one with what is known about the
 * person: their name, e-mail address and phone, in any spelling, and the name of the product.
 */
export function judgePassword(password: string, person: PersonalFacts): PasswordVerdict {
  const text = password.normalize('NFKC').slice(0, JUDGED_LENGTH_MAX);
  const words = personalWords(person);
  const plain = squeeze(text);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain);
  // What is known about the person adds nothing to a password.
  if (rest !== plain && zxcvbn.check(rest).guesses < GUESSES_MIN) return 'personal';
  const { guesses, sequence } = zxcvbn.check(text, words);
  if (guesses >= GUESSES_MIN) return 'fine';
  return sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs')
    ? 'personal'
    : 'weak';
}

/** The longest first, so that no part of a word is left. */
function personalWords({ name, email, phone }: PersonalFacts): string[] {
  const texts = [name, email, email?.split('@')[0]].filter((text) => typeof text === 'string');
  const parts = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  const words = [...PRODUCT, ...texts, ...parts, ...spellingsOf(phone)].map(squeeze);
  return [...new Set(words)]
    .filter((word) => word.length >= WORD_LENGTH_MIN)
    .toSorted((a, b) => b.length - a.length);
}

/** With the country code, with 8 in its place, without either, and without the operator's code. */
function spellingsOf(phone: string | null | undefined): string[] {
  const digits = squeeze(phone ?? '');
  const national = digits.slice(-10);
  return digits === '' ? [] : [digits, `8${national}`, national, digits.slice(-7)];
}

/** Letters and digits alone, in lower case. */
function squeeze(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
