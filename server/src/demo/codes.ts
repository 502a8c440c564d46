import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ErrorFacts } from '@zhiber/contract/api/error-answer.ts';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { Phone } from '../phone.ts';
import { addCall } from './calls.ts';
import { addMessage, phoneOf, ROUTES } from './messages.ts';
import type { Chance } from './random.ts';
import type {
  DemoKeyName,
  Send,
  Traffic,
  TrafficCode,
  TrafficMessage,
  TrafficQuery,
} from './traffic-rows.ts';

const CODE_TTL_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
const PURPOSES: Record<DemoKeyName, readonly string[]> = {
  site: [
    'login',
    'login',
    'login',
    'login',
    'registration',
    'registration',
    'order',
    'order',
    'order',
  ],
  app: ['login', 'login', 'login', 'login', 'login', 'registration', 'order', 'order', 'password'],
  tests: ['login', 'registration'],
};

export function addCode(
  traffic: Traffic,
  query: TrafficQuery,
  { chance, at, key }: Send & { key: DemoKeyName },
): void {
  const phone = phoneOf(chance);
  const call = { chance, at, keyId: query.keys[key], endpoint: 'otpSend' } as const;
  if (chance.is(0.004)) {
    const body = { phone: `+${phone.slice(0, 8)}`, channel: 'auto' };
    addCall(traffic, { ...call, phone: null, body, error: 'invalid_phone' });
    return;
  }
  // A person who wants the code by SMS says so.
  const isSmsWanted = chance.is(0.035);
  const route: readonly Channel[] = isSmsWanted ? ['sms'] : ROUTES[key];
  const purpose = chance.pick(PURPOSES[key]);
  const asked = { purpose };
  const message = addMessage(traffic, query, {
    chance,
    at,
    key,
    kind: 'otp',
    phone,
    route,
    purpose,
    asked,
  });
  if (message.state === 'failed') return;
  const isWaitingLong = message.attempt > 1;
  if (chance.is(isWaitingLong ? 0.12 : 0.008)) {
    const seconds = chance.whole(12, 50);
    addCall(traffic, {
      ...call,
      at: new Date(at.getTime() + seconds * 1_000),
      phone,
      body: { phone: `+${phone}`, ...asked, channel: isSmsWanted ? 'sms' : 'auto' },
      error: 'send_rate_limited',
      facts: { retry_after: 60 - seconds },
    });
  }
  addVerification(traffic, query, { chance, message, phone, purpose });
}

/** How the person enters the code: right, wrong at first, too late, or not at all. */
function addVerification(
  traffic: Traffic,
  query: TrafficQuery,
  {
    chance,
    message,
    phone,
    purpose,
  }: { chance: Chance; message: TrafficMessage; phone: Phone; purpose: string },
): void {
  const { id, key_id: keyId, created_at: createdAt, delivered_at: deliveredAt } = message;
  const expiresAt = new Date(createdAt.getTime() + CODE_TTL_MS);
  const code: TrafficCode = {
    key_id: keyId,
    phone,
    purpose,
    message_id: id,
    expires_at: expiresAt,
    verified_at: null,
    wrong: 0,
  };
  traffic.codes.push(code);
  if (deliveredAt === null) return;
  const enter = (at: Date, error?: ErrorCode, facts?: ErrorFacts) =>
    addCall(traffic, {
      chance,
      at,
      keyId,
      endpoint: 'otpVerify',
      phone,
      body: { phone: `+${phone}`, code: '', purpose },
      ...(error !== undefined && { error }),
      ...(facts !== undefined && { facts }),
    });
  const luck = chance.next();
  const enteredAt = new Date(deliveredAt.getTime() + chance.whole(6, 55) * 1_000);
  if (luck < 0.055) return;
  if (luck < 0.062) {
    enter(new Date(expiresAt.getTime() + chance.whole(5, 240) * 1_000), 'code_expired');
    return;
  }
  if (luck < 0.105) {
    code.wrong = 1;
    enter(new Date(enteredAt.getTime() - 4_000), 'invalid_code', { attempts_left: 4 });
  }
  if (enteredAt >= query.to) return;
  code.verified_at = enteredAt;
  enter(enteredAt);
}

/** A key keeps one code per phone and purpose: the newest. */
export function newestCodes(codes: readonly TrafficCode[], now: Date): TrafficCode[] {
  const newest = new Map<string, TrafficCode>();
  const byAge = codes.toSorted((a, b) => a.expires_at.getTime() - b.expires_at.getTime());
  for (const code of byAge) newest.set([code.key_id, code.phone, code.purpose].join(' '), code);
  // Outdated codes are removed a day after their end, as the upkeep does.
  return [...newest.values()].filter(
    ({ expires_at: expiresAt }) => expiresAt.getTime() > now.getTime() - DAY_MS,
  );
}
