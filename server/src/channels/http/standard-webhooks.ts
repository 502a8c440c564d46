/**
 * Signatures by Standard Webhooks 1.0.0 (standardwebhooks.com): HMAC-SHA256 over the id, the time
 * and the raw body. Left out: the asymmetric `v1a`.
 */

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from '../../token.ts';

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;
/** The clock skew that is allowed; an older message may be a replay. */
const TOLERANCE_SECONDS = 300;

/** Prepared once: signing with raw key bytes costs ten times as much. */
export type WebhookKey = KeyObject;

/** Undefined for anything but `whsec_` and 24 to 64 bytes in base64. */
export function readWebhookSecret(secret: string): WebhookKey | undefined {
  const bytes = Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64');
  const isKey = bytes.length >= KEY_BYTES_MIN && bytes.length <= KEY_BYTES_MAX;
  return isKey ? createSecretKey(bytes) : undefined;
}

/** The signature headers of a body. A retry has to use the same id. */
export function signWebhook(
  key: WebhookKey,
  message: { id: string; body: string | Buffer; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(key, { ...message, timestamp }),
  };
}

/** Whether the request is signed with the key and not older than the tolerance. */
export function isWebhookSigned(
  key: WebhookKey,
  request: { headers: IncomingHttpHeaders; body: Buffer; now: Date },
): boolean {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures,
  } = request.headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string') return false;
  if (typeof signatures !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false;
  const ageSeconds = request.now.getTime() / 1000 - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) return false;
  const expected = signatureOf(key, { id, timestamp, body: request.body });
  // There are several signatures while a secret is being rotated.
  return signatures.split(' ').some((given) => isSameSecret(given, expected));
}

function signatureOf(
  key: WebhookKey,
  { id, timestamp, body }: { id: string; timestamp: string; body: string | Buffer },
): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
}
