import assert from 'node:assert/strict';
import type { useService } from '../harness.ts';

type Service = ReturnType<typeof useService>;

/** The newest code that has arrived at a phone, whoever sent it. */
export function codeAt({ sandbox }: Service, phone: string): string {
  const message = sandbox.phone.recent(500).findLast((one) => one.phone === phone);
  assert(message?.code, `no code has arrived at ${phone}`);
  return message.code;
}

/** The letters that have arrived at an address, the oldest first. */
export function lettersTo({ sandbox }: Service, address: string) {
  return sandbox.phone
    .recent(500)
    .filter((message) => message.kind === 'letter' && message.phone === address);
}

/** The token in the link of the newest letter to an address. */
export function tokenAt(service: Service, address: string): string {
  const link = lettersTo(service, address).at(-1)?.link;
  const token = link && new URL(link).searchParams.get('token');
  assert(token, `no letter with a token has arrived at ${address}`);
  return token;
}
