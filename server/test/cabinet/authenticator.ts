import { createHmac } from 'node:crypto';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export type Authenticator = {
  /** The current code, or the code of another 30-second step, as from an app with a wrong clock. */
  code(steps?: number): string;
};

/**
 * A TOTP app set up from an `otpauth:` URI. It follows RFC 6238 directly, independent of the library
 * that the server uses.
 */
export function createAuthenticator(uri: string): Authenticator {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return {
    code(steps = 0) {
      const counter = Buffer.alloc(8);
      counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
      const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
      const number = mac.readUInt32BE((mac.at(-1) as number) & 0xf) & 0x7fff_ffff;
      return String(number % 1_000_000).padStart(6, '0');
    },
  };
}
