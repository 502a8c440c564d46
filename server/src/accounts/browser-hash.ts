import { hashOfToken } from '../token.ts';

const LENGTH = 22;

/** Stands for a browser where its secret must not be stored: in a purpose, on a letter of the sandbox. */
export function browserHash(browser: string): string {
  return hashOfToken(browser).toString('base64url').slice(0, LENGTH);
}
