import { createHmac, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_SECONDS = 30;
const DIGITS = 6;
/** A clock may be one step off, either way. */
const DRIFT_STEPS = [0, -1, 1];

/** The code of a step (RFC 6238, with what every app understands: SHA-1, six digits, 30 s). */
export function totpAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

export function stepOf(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS);
}

/** The step whose code this is, if it is one of now; undefined for a wrong code. */
export function matchStep(secret: Buffer, code: string, now: Date): number | undefined {
  const given = Buffer.from(code);
  return DRIFT_STEPS.map((drift) => stepOf(now) + drift).find((step) => {
    const right = Buffer.from(totpAt(secret, step));
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

/** A secret as apps and people take it. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** What the picture for the app says. */
export function totpUri(secret: Buffer, account: string): string {
  const label = encodeURIComponent(`Zhiber:${account}`);
  const facts = new URLSearchParams({
    secret: toBase32(secret),
    issuer: 'Zhiber',
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  return `otpauth://totp/${label}?${facts}`;
}
