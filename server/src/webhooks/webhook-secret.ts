import { readWebhookSecret, signWebhook } from '../channels/http/standard-webhooks.ts';
import { randomBytes } from '../random.ts';

const SECRET_BYTES = 32;

export function newWebhookSecret(): string {
  return webhookSecretOf(randomBytes(SECRET_BYTES));
}

export function webhookSecretOf(bytes: Buffer): string {
  return `whsec_${bytes.toString('base64')}`;
}

/**
 * The headers that sign a body at this moment, with every secret that is valid: after a rotation the
 * receiver may still have the previous one.
 */
export function signWithAll(
  secrets: readonly string[],
  message: { id: string; body: string; at: Date },
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const signed = secrets.map((secret) => {
    const key = readWebhookSecret(secret);
    if (key === undefined) throw new Error('a webhook has no valid secret');
    return signWebhook(key, message);
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1000)),
    'webhook-signature': signed.map((headers) => headers['webhook-signature']).join(' '),
  };
}
