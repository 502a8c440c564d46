import { randomBytes } from '../../random.ts';
import type { Secrets } from '../../secrets.ts';

const TOKEN_BYTES = 32;

/** A token for the link of a letter; what is kept of it cannot be turned back into it. */
export function newLetterToken(secrets: Secrets): { token: string; mac: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, mac: macOfToken(secrets, token) };
}

export function macOfToken(secrets: Secrets, token: string): Buffer {
  return secrets.macOfProof('link of a letter', token);
}
