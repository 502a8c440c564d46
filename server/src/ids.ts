import { randomInt } from 'node:crypto';
import { randomBytes } from './random.ts';

export type CompanyId = number & { readonly brand: 'CompanyId' };
export type KeyId = number & { readonly brand: 'KeyId' };
export type PersonId = string & { readonly brand: 'PersonId' };
export type MessageId = string & { readonly brand: 'MessageId' };

/**
 * A UUIDv7: the first 48 bits are the time in milliseconds, so that ids sort by age and name their
 * month.
 */
export function newId(nowMs: number): MessageId {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as MessageId;
}

/** A short random name for a request, when the caller brought none. */
export function newRequestId(): string {
  return `req_${randomBytes(12).toString('base64url').replaceAll('-', '0').replaceAll('_', '1')}`;
}

/** Evenly distributed random characters of an alphabet. */
export function randomText(alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[randomInt(alphabet.length)];
  return text;
}
