import { Webhook } from 'standardwebhooks';
import webhooks from '../cases/webhooks.json' with { type: 'json' };

export type WebhookVector = {
  name: string;
  /** `ok`, or the code of the error. */
  expect: string;
  body: string;
  call: {
    /** In base64. */
    body: string;
    headers: Record<string, string>;
    secret: string;
    tolerance_seconds: number;
  };
};

type WebhookCase = {
  name: string;
  expect: string;
  secret?: string;
  signed_with?: string[];
  body?: string;
  age_seconds?: number;
  tolerance_seconds?: number;
  signature?: string;
  headers?: Record<string, string>;
  capitals?: boolean;
};

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const TOLERANCE_SECONDS = 300;
const BODY = JSON.stringify({
  type: 'message.delivered',
  timestamp: '2026-11-02T09:30:00.000Z',
  data: { message_id: '019a4320-1c5e-7d2a-9b1e-4f6c0a7d5e31', cost: 3 },
});

/** The calls of `sdk/cases/webhooks.json`, signed now by the library of the specification. */
export function createVectors(): WebhookVector[] {
  return (webhooks as WebhookCase[]).map((given) => {
    const { name, expect, body = BODY, secret = SECRET } = given;
    const at = new Date(Date.now() - (given.age_seconds ?? 0) * 1_000);
    const signatures = (given.signed_with ?? [SECRET]).map((key) => sign(key, at, body));
    const [first = ''] = signatures;
    const signature = (given.signature ?? signatures.join(' '))
      .replaceAll('{signature}', first)
      .replaceAll('{bare}', first.replace('v1,', ''));
    const headers = { ...createHeaders(at, signature), ...given.headers };
    const call = {
      body: Buffer.from(body).toString('base64'),
      headers: given.capitals ? inCapitals(headers) : headers,
      secret,
      tolerance_seconds: given.tolerance_seconds ?? TOLERANCE_SECONDS,
    };
    return { name: `a webhook: ${name}`, expect, body, call };
  });
}

/** Bits of the body, the id, the time and the signature, one of them changed in each. */
export function createFlippedVectors(): WebhookVector[] {
  const at = new Date();
  const parts = { body: BODY, ...createHeaders(at, sign(SECRET, at, BODY)) };
  return Object.entries(parts).flatMap(([part, value]) =>
    [...value].map((_, index) => {
      const { body, ...headers } = { ...parts, [part]: flipBit(value, index) };
      const call = {
        body: Buffer.from(body).toString('base64'),
        headers,
        secret: SECRET,
        tolerance_seconds: TOLERANCE_SECONDS,
      };
      return { name: `bit 0 of byte ${index} of ${part}`, expect: 'wrong_signature', body, call };
    }),
  );
}

export function sign(secret: string, at: Date, body: string): string {
  return new Webhook(secret).sign('msg_1', at, body);
}

function createHeaders(at: Date, signature: string) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signature,
  };
}

function inCapitals(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]));
}

function flipBit(value: string, index: number): string {
  const bytes = Buffer.from(value);
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return bytes.toString();
}
