import { createHmac, timingSafeEqual } from 'node:crypto';
import type { components } from './api-types.ts';
import { type CamelFields, toCamelFields } from './field-names.ts';

type EventData = components['schemas']['EventData'];

/**
 * An event whose signature is right. `id` is the same when an event is delivered again: keep the
 * ids you have dealt with. A newer server may send types that this version does not know.
 */
export type WebhookEvent = {
  [Type in keyof EventData]: {
    id: string;
    type: Type;
    timestamp: string;
    data: CamelFields<NonNullable<EventData[Type]>>;
  };
}[keyof EventData];

export type WebhookErrorCode =
  | 'missing_header'
  | 'invalid_secret'
  | 'expired'
  | 'wrong_signature'
  | 'invalid_body';

/** A call that is not from the service, or is too old. Answer it with 400 and do nothing else. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A copied call is worthless after this time. */
const TOLERANCE_SECONDS = 300;

/**
 * Checks a call by the Standard Webhooks specification and returns its event, or throws
 * `WebhookError`. `rawBody` are the bytes as they came: parsed and written again, JSON differs.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS }: { toleranceSeconds?: number } = {},
): WebhookEvent {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody, 'utf8') : rawBody;
  const mac = createHmac('sha256', readSecret(secret)).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${mac.digest('base64')}`);
  // Several signatures come while a secret is being replaced.
  const isSigned = signatures.split(' ').some((given) => isEqual(Buffer.from(given), expected));
  if (!isSigned) throw new WebhookError('wrong_signature', 'No signature matches');
  checkAge(timestamp, toleranceSeconds);
  return readEvent(id, body);
}

function readHeader(headers: HeadersLike, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const [first] = [value ?? ''].flat();
  if (first) return first;
  throw new WebhookError('missing_header', `The header ${name} is missing`);
}

function readSecret(secret: string): Buffer {
  const text = secret.replace(/^whsec_/, '');
  const bytes = Buffer.from(text, 'base64');
  // Buffer skips what is not base64, and a shortened secret would be a weak one.
  if (bytes.length > 0 && bytes.toString('base64') === text) return bytes;
  throw new WebhookError('invalid_secret', 'The secret must be whsec_ and base64');
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function checkAge(timestamp: string, toleranceSeconds: number): void {
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (/^\d{1,12}$/.test(timestamp) && Math.abs(ageSeconds) <= toleranceSeconds) return;
  throw new WebhookError('expired', 'The call is older or newer than the tolerance allows');
}

function readEvent(id: string, body: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof event?.type === 'string' && typeof event.data === 'object' && event.data !== null) {
      return { ...event, id, data: toCamelFields(event.data) };
    }
  } catch {
    // Falls through to the same error: signed, and yet no event.
  }
  throw new WebhookError('invalid_body', 'The body is not a JSON object with type and data');
}
