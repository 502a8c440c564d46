import { randomInt } from 'node:crypto';
import { randomBytes } from './random.ts';

export type CompanyId = number & { readonly brand: 'CompanyId' };
export type KeyId = number & { readonly brand: 'KeyId' };
export type PersonId = string & { readonly brand: 'PersonId' };
export type MessageId = string & { readonly brand: 'MessageId' };
export type BroadcastId = string & { readonly brand: 'BroadcastId' };
/** What an API call sends. */
export type ApiMessageKind = 'otp' | 'link' | 'group';
export type MessageKind = ApiMessageKind | 'broadcast';

/**
 * A UUIDv7: the first 48 bits are the time in milliseconds, so ids sort by age and determine their
 * monthly partition.
 */
export function newId(nowMs: number): MessageId {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as MessageId;
}

const ID_TIME_MAX = 2 ** 48 - 1;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text has the form of an id: a UUID in lower case. */
export function isId(text: string): text is MessageId {
  return UUID.test(text);
}

/** The lowest id of a millisecond: no id made since then is below it. */
export function lowestIdAt(ms: number): MessageId {
  const time = Math.min(Math.max(Math.floor(ms), 0), ID_TIME_MAX);
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000` as MessageId;
}

/** The time in an id. */
export function timeOfId(id: MessageId): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** A short random id for a request that came without one. */
export function newRequestId(): string {
  return `req_${randomBytes(12).toString('base64url').replaceAll('-', '0').replaceAll('_', '1')}`;
}

/** Evenly distributed random characters of an alphabet. */
export function randomText(alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[randomInt(alphabet.length)];
  return text;
}
