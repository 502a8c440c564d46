/**
 * The clients of a run: they send, read the code from the phone, guess, shorten, and repeat with
 * the same Idempotency-Key what was cut off. Each writes down what it was answered.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import type { Acknowledgement } from '../checker/logs.ts';
import { ask } from '../start/serve-harness.ts';
import { CONFIRMS, type Plan } from './operator.ts';
import type { Rig, RigKey } from './rig.ts';

const PATHS = {
  send_code: '/otp/send',
  send_link: '/links/send',
  verify: '/otp/verify',
  shorten: '/links/shorten',
} as const;

export type Action = keyof typeof PATHS;
type Request = {
  key: RigKey;
  body: Record<string, string>;
  /** Repeated with this key until it is answered. */
  idempotencyKey?: string;
};

const REPEAT_PAUSE_MS = 500;
/** Longer than a claim without an answer lasts. */
const REPEAT_LIMIT_MS = 60_000;
const PHONE_LIMIT_MS = 500;

/**
 * One request, once; what came of it is in the clients' log, unless nobody was listening: then it
 * returns when somebody is.
 */
export async function act(rig: Rig, action: Action, request: Request): Promise<Acknowledgement> {
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
  const told = typeof answer === 'string' ? {} : answer.body;
  const text = (name: string) => (typeof told[name] === 'string' ? told[name] : null);
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
    cost: typeof told.cost === 'number' ? told.cost : null,
    shortUrl: text('short_url'),
  };
  if (acknowledgement.outcome === 'unreached') await rig.healthy();
  else rig.clients.write(acknowledgement);
  return acknowledgement;
}

function outcomeOf(answer: Awaited<ReturnType<typeof ask>> | string): Acknowledgement['outcome'] {
  if (answer === 'ECONNREFUSED') return 'unreached';
  if (typeof answer === 'string') return 'unknown';
  return answer.body.success === true ? 'ok' : 'refused';
}

/** Repeats a request with its Idempotency-Key until there is an answer that stays. */
export async function actSurely(
  rig: Rig,
  action: Action,
  request: Request,
): Promise<Acknowledgement> {
  const deadline = Date.now() + REPEAT_LIMIT_MS;
  for (;;) {
    const ack = await act(rig, action, request);
    const isAway = ack.outcome === 'unknown' || ack.outcome === 'unreached';
    const isOpen =
      isAway || ['request_in_progress', 'service_unavailable'].includes(`${ack.errorCode}`);
    if (!isOpen || Date.now() > deadline) return ack;
    if (ack.outcome === 'refused') await pause(REPEAT_PAUSE_MS);
  }
}

/** Waits until somebody listens; without a key of its own a request is made once. */
async function actOnce(rig: Rig, action: Action, request: Request): Promise<Acknowledgement> {
  const deadline = Date.now() + REPEAT_LIMIT_MS;
  for (;;) {
    const ack = await act(rig, action, request);
    if (ack.outcome !== 'unreached' || Date.now() > deadline) return ack;
  }
}

/**
 * Half of all requests have an Idempotency-Key. One that was cut off is repeated on the side, for
 * it may take until its claim has run out, and the desk goes on meanwhile.
 */
async function actSomehow(desk: Desk, action: Action, request: Request): Promise<Acknowledgement> {
  const { rig } = desk;
  if (randomInt(2) === 0) return await actOnce(rig, action, request);
  const repeatable = { ...request, idempotencyKey: randomUUID() };
  const ack = await actOnce(rig, action, repeatable);
  if (ack.outcome === 'unknown') desk.repeats.push(actSurely(rig, action, repeatable));
  return ack;
}

let phones = 0;

/** A phone nobody has used yet. */
export function newPhone(): string {
  phones += 1;
  return `+7701${String(phones).padStart(7, '0')}`;
}

/** What the channels may do to a message, each as likely as the next. */
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

/** Where people come one after another, until it is over. */
export type Desk = { rig: Rig; key: RigKey; isOver(): boolean; repeats: Promise<unknown>[] };

export async function keepSending(desk: Desk): Promise<void> {
  const { rig, key } = desk;
  while (!desk.isOver()) {
    const phone = newPhone();
    const { plan, choice } = PLANS[randomInt(PLANS.length)] as (typeof PLANS)[number];
    rig.operator.plan(phone, plan);
    const body = { phone, channel: choice };
    const sent = await actSomehow(desk, 'send_code', { key, body });
    if (sent.outcome === 'refused' && sent.errorCode !== 'delivery_unconfirmed') continue;
    const code = await codeOn(rig, phone);
    if (code === undefined) continue;
    for (let wrong = randomInt(3); wrong > 0; wrong--) {
      await actSomehow(desk, 'verify', { key, body: { phone, code: otherThan(code) } });
    }
    await actSomehow(desk, 'verify', { key, body: { phone, code } });
    if (randomInt(2) === 0) await actOnce(rig, 'verify', { key, body: { phone, code } });
    if (randomInt(4) === 0) await actOnce(rig, 'send_code', { key, body });
  }
}

/** Links alone, some with a name of their own, some sent to a phone. */
export async function keepLinking(desk: Desk): Promise<void> {
  const { rig, key } = desk;
  while (!desk.isOver()) {
    const url = `https://example.com/${randomUUID()}`;
    const alias = `a${randomUUID().slice(0, 12)}`;
    await actSomehow(desk, 'shorten', { key, body: { url } });
    // The same name for the same address again is the same link.
    await actSurely(rig, 'shorten', { key, body: { url, alias } });
    const phone = newPhone();
    const { plan } = PLANS[randomInt(PLANS.length)] as (typeof PLANS)[number];
    rig.operator.plan(phone, plan);
    await actSomehow(desk, 'send_link', { key, body: { phone, url, channel: 'auto' } });
  }
}

/** The code that a person reads on the phone; a message that was lost never shows. */
export async function codeOn(rig: Rig, phone: string): Promise<string | undefined> {
  const deadline = Date.now() + PHONE_LIMIT_MS;
  const isLost = () => Date.now() > deadline;
  while (rig.operator.codeOn(phone) === undefined && !isLost()) await pause(10);
  return rig.operator.codeOn(phone);
}

export function otherThan(code: string): string {
  return String((Number(code) + 1 + randomInt(999_998)) % 1_000_000).padStart(6, '0');
}

/** Opens links that clients were told of, as anybody on the internet would. */
export async function openLinks(rig: Rig, max: number): Promise<void> {
  const told = rig.clients.entries.filter(
    ({ shortUrl, outcome, action }) =>
      shortUrl !== null && outcome === 'ok' && action === 'shorten',
  );
  for (const ack of told.slice(-max)) {
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
