import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export type Authenticator = {
  code(): string;
  /**
   * The code of the next 30 seconds, for a test that has used one already: each is accepted once. The
   * server accepts it, because the clock of a phone may be ahead. That of the last 30 seconds would
   * be too old if the next begin just now.
   */
  nextCode(): string;
};

/**
 * A TOTP app set up from an `otpauth:` URI. It follows RFC 6238 directly, independent of the library
 * that the server uses.
 */
export function createAuthenticator(uri: string): Authenticator {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const codeAt = (timeMs: number) => {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(timeMs / STEP_MS)));
    const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
    const number = mac.readUInt32BE((mac.at(-1) as number) & 0xf) & 0x7fff_ffff;
    return String(number % 1_000_000).padStart(6, '0');
  };
  return { code: () => codeAt(Date.now()), nextCode: () => codeAt(Date.now() + STEP_MS) };
}
