/**
 * Signatures by Standard Webhooks 1.0.0 (standardwebhooks.com): HMAC-SHA256 over the id, the time
 * and the raw body. Left out: the asymmetric `v1a`.
 */

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from './same-secret.ts';

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;
/** How far the clocks of the two sides may differ; what is older may be a repeat by somebody else. */
const TOLERANCE_SECONDS = 300;

/** Prepared once: from plain bytes, each signature would cost ten times as much. */
export type WebhookKey = KeyObject;

/** Undefined for anything but `whsec_` and 24 to 64 bytes in base64. */
export function readWebhookSecret(secret: string): WebhookKey | undefined {
  const bytes = Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64');
  const isKey = bytes.length >= KEY_BYTES_MIN && bytes.length <= KEY_BYTES_MAX;
  return isKey ? createSecretKey(bytes) : undefined;
}

/** The headers that go with a body. The id stays the same however often it is sent. */
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

/** Whether it comes from somebody who has the key, and was sent just now. */
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
  const right = signatureOf(key, { id, timestamp, body: request.body });
  // Several, while a secret is being changed.
  return signatures.split(' ').some((given) => isSameSecret(given, right));
}

function signatureOf(
  key: WebhookKey,
  { id, timestamp, body }: { id: string; timestamp: string; body: string | Buffer },
): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
}
