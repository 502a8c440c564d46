import assert from 'node:assert/strict';
import type { useService } from '../harness.ts';

type Service = ReturnType<typeof useService>;

/** Reads the newest code that arrived at a phone, from any key. */
export function readNewestCode({ sandbox }: Service, phone: string): string {
  const message = sandbox.phone.recent(500).findLast((recent) => recent.phone === phone);
  assert(message?.code, `no code has arrived at ${phone}`);
  return message.code;
}

/** The emails that arrived at an address, oldest first. */
export function lettersTo({ sandbox }: Service, address: string) {
  return sandbox.phone
    .recent(500)
    .filter((message) => message.kind === 'letter' && message.phone === address);
}

/** Reads the token from the link in the newest email to an address. */
export function readEmailToken(service: Service, address: string): string {
  const link = lettersTo(service, address).at(-1)?.link;
  assert(link, `no email with a link has arrived at ${address}`);
  return readToken(link);
}

export function readToken(link: string): string {
  const token = new URL(link).searchParams.get('token');
  assert(token, `no token in ${link}`);
  return token;
}
