/**
 * The clients of a run. They send codes, read them from the phone, verify, shorten links, and
 * repeat requests that were cut off with the same Idempotency-Key. Every answer is logged.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import type { Acknowledgement } from '../checker/logs.ts';
import { freshPhones } from '../harness.ts';
import { ask } from '../start/serve-harness.ts';
import { CONFIRMS, type Plan } from './provider-simulator.ts';
import type { Rig } from './rig.ts';
import type { RigKey } from './run-records.ts';

const PATHS = {
  send_code: '/otp/send',
  send_link: '/links/send',
  verify: '/otp/verify',
  shorten: '/links/shorten',
} as const;

/** What the clients need: a port to call, and what is known about the phones. */
export type LoadTarget = Pick<Rig, 'port' | 'clock' | 'clients' | 'provider' | 'waitUntilHealthy'>;

export type Action = keyof typeof PATHS;
type Request = {
  key: RigKey;
  body: Record<string, string>;
  /** Makes the request safe to repeat. */
  idempotencyKey?: string;
};

const REPEAT_PAUSE_MS = 500;
/** Longer than the lease of an idempotency claim. */
const REPEAT_LIMIT_MS = 60_000;
const PHONE_LIMIT_MS = 500;

/**
 * Sends one request once and logs its result. When the server is not listening, nothing is logged
 * and the function returns once the server is healthy again.
 */
export async function sendRequest(
  rig: LoadTarget,
  action: Action,
  request: Request,
): Promise<Acknowledgement> {
  const { key, body, idempotencyKey = null } = request;
  const startedAt = rig.clock.now();
  const requestId = `req-${randomUUID()}`;
  const headers = {
    'x-request-id': requestId,
    ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
  };
  const answer = await ask(rig.port, { path: PATHS[action], key: key.key, body, headers }).catch(
    (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
  );
  const fields = typeof answer === 'string' ? {} : answer.body;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
  const acknowledgement: Acknowledgement = {
    startedAt,
    endedAt: rig.clock.now(),
    action,
    requestId,
    keyId: key.keyId,
    companyId: key.companyId,
    idempotencyKey,
    phone: body.phone?.replace('+', '') ?? null,
    given: body.code ?? body.url ?? null,
    outcome: outcomeOf(answer),
    errorCode: typeof answer === 'string' ? answer : text('error_code'),
    messageId: text('message_id'),
    channel: text('channel'),
    cost: typeof fields.cost === 'number' ? fields.cost : null,
    shortUrl: text('short_url'),
  };
  if (acknowledgement.outcome === 'unreached') await rig.waitUntilHealthy();
  else rig.clients.write(acknowledgement);
  return acknowledgement;
}

function outcomeOf(answer: Awaited<ReturnType<typeof ask>> | string): Acknowledgement['outcome'] {
  if (answer === 'ECONNREFUSED') return 'unreached';
  if (typeof answer === 'string') return 'unknown';
  return answer.body.success === true ? 'ok' : 'refused';
}

/** Repeats a request with its Idempotency-Key until it gets a final answer. */
export async function requestUntilAnswered(
  rig: LoadTarget,
  action: Action,
  request: Request,
): Promise<Acknowledgement> {
  const deadline = Date.now() + REPEAT_LIMIT_MS;
  for (;;) {
    const ack = await sendRequest(rig, action, request);
    const isCutOff = ack.outcome === 'unknown' || ack.outcome === 'unreached';
    const isOpen =
      isCutOff || ['request_in_progress', 'service_unavailable'].includes(`${ack.errorCode}`);
    if (!isOpen || Date.now() > deadline) return ack;
    if (ack.outcome === 'refused') await pause(REPEAT_PAUSE_MS);
  }
}

/** Waits until the server listens and sends the request once, because it may not be idempotent. */
async function requestWhenReachable(
  rig: LoadTarget,
  action: Action,
  request: Request,
): Promise<Acknowledgement> {
  const deadline = Date.now() + REPEAT_LIMIT_MS;
  for (;;) {
    const ack = await sendRequest(rig, action, request);
    if (ack.outcome !== 'unreached' || Date.now() > deadline) return ack;
  }
}

/**
 * Gives half of all requests an Idempotency-Key. A request with a key that was cut off is repeated
 * in the background, because that may take until its claim expires.
 */
async function requestMaybeIdempotently(
  client: ClientLoop,
  action: Action,
  request: Request,
): Promise<Acknowledgement> {
  const { rig } = client;
  if (randomInt(2) === 0) return await requestWhenReachable(rig, action, request);
  const repeatable = { ...request, idempotencyKey: randomUUID() };
  const ack = await requestWhenReachable(rig, action, repeatable);
  if (ack.outcome === 'unknown') client.repeats.push(requestUntilAnswered(rig, action, repeatable));
  return ack;
}

/** A phone that no client has used yet. */
export const newPhone = freshPhones();

/** How channels may treat a message. One is chosen at random. */
const PLANS: readonly { plan: Plan; choice: ChannelChoice }[] = [
  { plan: {}, choice: 'auto' },
  { plan: {}, choice: 'sms' },
  { plan: { whatsapp: { does: 'refuse' } }, choice: 'auto' },
  { plan: { whatsapp: { does: 'accept' } }, choice: 'auto' },
  { plan: { whatsapp: { does: 'accept' }, telegram: { does: 'accept' } }, choice: 'auto' },
  { plan: { whatsapp: { does: 'accept', receipts: ['failed'] } }, choice: 'auto' },
  {
    plan: {
      whatsapp: { does: 'accept', receipts: ['failed'], isEarly: true },
      telegram: { does: 'accept', receipts: ['failed'] },
    },
    choice: 'auto',
  },
  { plan: { whatsapp: { does: 'reset' } }, choice: 'auto' },
  { plan: { whatsapp: { does: 'reset' } }, choice: 'whatsapp' },
  { plan: { telegram: { does: 'drop' } }, choice: 'telegram' },
  { plan: { sms: { does: 'refuse' } }, choice: 'sms' },
  { plan: { whatsapp: { ...CONFIRMS, isEarly: true } }, choice: 'auto' },
  {
    plan: { whatsapp: { does: 'accept', receipts: ['read', 'delivered', 'delivered', 'failed'] } },
    choice: 'auto',
  },
];

/** A client that sends one request after another until `isOver`. */
export type ClientLoop = {
  rig: LoadTarget;
  key: RigKey;
  isOver(): boolean;
  repeats: Promise<unknown>[];
};

export async function keepSending(client: ClientLoop): Promise<void> {
  const { rig, key } = client;
  while (!client.isOver()) {
    const phone = newPhone();
    const { plan, choice } = PLANS[randomInt(PLANS.length)] as (typeof PLANS)[number];
    rig.provider.plan(phone, plan);
    const body = { phone, channel: choice };
    const sent = await requestMaybeIdempotently(client, 'send_code', { key, body });
    if (sent.outcome === 'refused' && sent.errorCode !== 'delivery_unconfirmed') continue;
    const code = await findShownCode(rig, phone);
    if (code === undefined) continue;
    for (let wrong = randomInt(3); wrong > 0; wrong--) {
      const guess = { phone, code: randomWrongCode(code) };
      await requestMaybeIdempotently(client, 'verify', { key, body: guess });
    }
    await requestMaybeIdempotently(client, 'verify', { key, body: { phone, code } });
    if (randomInt(2) === 0) {
      await requestWhenReachable(rig, 'verify', { key, body: { phone, code } });
    }
    if (randomInt(4) === 0) await requestWhenReachable(rig, 'send_code', { key, body });
  }
}

/** Shortens links, some with an alias, and sends some to a phone. */
export async function keepLinking(client: ClientLoop): Promise<void> {
  const { rig, key } = client;
  while (!client.isOver()) {
    const url = `https://example.com/${randomUUID()}`;
    const alias = `a${randomUUID().slice(0, 12)}`;
    await requestMaybeIdempotently(client, 'shorten', { key, body: { url } });
    // Repeating it is safe: the same alias for the same URL is the same link.
    await requestUntilAnswered(rig, 'shorten', { key, body: { url, alias } });
    const phone = newPhone();
    const { plan } = PLANS[randomInt(PLANS.length)] as (typeof PLANS)[number];
    rig.provider.plan(phone, plan);
    const body = { phone, url, channel: 'auto' };
    await requestMaybeIdempotently(client, 'send_link', { key, body });
  }
}

/** The code that the phone shows, or undefined when the message was lost. */
export async function findShownCode(rig: LoadTarget, phone: string): Promise<string | undefined> {
  const deadline = Date.now() + PHONE_LIMIT_MS;
  const isLost = () => Date.now() > deadline;
  while (rig.provider.findShownCode(phone) === undefined && !isLost()) await pause(10);
  return rig.provider.findShownCode(phone);
}

export function randomWrongCode(code: string): string {
  return String((Number(code) + 1 + randomInt(999_998)) % 1_000_000).padStart(6, '0');
}

/** Opens the newest short links that clients got. */
export async function openLinks(rig: LoadTarget, max: number): Promise<void> {
  const shortened = rig.clients.entries.filter(
    ({ shortUrl, outcome, action }) =>
      shortUrl !== null && outcome === 'ok' && action === 'shorten',
  );
  for (const ack of shortened.slice(-max)) {
    const { status, headers } = await fetch(String(ack.shortUrl), { redirect: 'manual' });
    const isRight = status === 302 && headers.get('location') === ack.given;
    rig.clients.write({
      ...ack,
      action: 'open',
      outcome: isRight ? 'ok' : 'refused',
      errorCode: isRight ? null : `${status} ${headers.get('location')}`,
    });
  }
}
