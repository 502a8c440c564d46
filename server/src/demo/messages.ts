import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Phone } from '../phone.ts';
import { addCall, newRequestId } from './calls.ts';
import { type Delivery, deliver } from './deliveries.ts';
import type { Chance } from './random.ts';
import type {
  DemoKeyName,
  Send,
  Traffic,
  TrafficCharge,
  TrafficMessage,
  TrafficQuery,
} from './traffic-rows.ts';

/** By then every message has its outcome: the silence of the last channel takes ten minutes. */
const OUTCOME_MS = 12 * 60_000;
const CUSTOMERS = 1_400;
const OPERATORS = ['701', '702', '705', '707', '747', '771', '775', '777', '778'];

export const ROUTES: Record<DemoKeyName, readonly Channel[]> = {
  site: ['whatsapp', 'sms'],
  app: ['telegram', 'whatsapp', 'sms'],
  tests: ['whatsapp', 'sms'],
};
type MessageFacts = Send & {
  key: DemoKeyName;
  kind: TrafficMessage['kind'];
  phone: Phone;
  route: readonly Channel[];
  /** What the request said beside its phone and its channel. */
  asked?: Record<string, unknown>;
  purpose?: string;
  slug?: string;
  body?: string;
};

/** The message with its attempts, its charges, and the call when it was refused. */
export function addMessage(
  traffic: Traffic,
  query: TrafficQuery,
  facts: MessageFacts,
): TrafficMessage {
  const { chance, at, key, kind, phone, asked, purpose = null, slug = null, body = null } = facts;
  const { incident } = query;
  const isWhatsappDown = incident !== undefined && at >= incident.from && at < incident.to;
  const delivery = withoutFuture(
    kind === 'group'
      ? acceptedPost(chance)
      : deliver(chance, { route: facts.route, isWhatsappDown }),
    { at, to: query.to },
  );
  const last = delivery.at(-1) as Delivery[number];
  const isSent = delivery.some(({ state }) => state === 'accepted');
  const isTest = key === 'tests';
  const priceOf = (channel: Channel) => query.prices[kind === 'group' ? 'group' : channel];
  const after = (seconds: number) => new Date(at.getTime() + Math.round(seconds * 1_000));
  const afterOrNull = (seconds: number | null) => (seconds === null ? null : after(seconds));
  const paid = chargesOf(delivery, { priceOf, isTest });
  // A channel that refused after another had accepted leaves the message with the one that accepted.
  const shown = isSent ? (delivery.findLast(({ state }) => state === 'accepted') ?? last) : last;
  const message: TrafficMessage = {
    id: chance.id(at),
    key_id: query.keys[key],
    kind,
    is_test: isTest,
    recipient: phone,
    state: isSent ? 'sent' : 'failed',
    receipt: shown.receipt,
    channel: shown.channel,
    attempt: delivery.length,
    charged: paid.reduce((sum, { amount }) => sum + amount, 0),
    created_at: at,
    settled_at: after(shown.settledSeconds),
    receipt_at: afterOrNull(shown.receiptSeconds),
    delivered_at: afterOrNull(shown.deliveredSeconds),
    purpose,
    reason: shown.reason,
    slug,
    body,
    request_id: newRequestId(chance),
  };
  traffic.messages.push(message);
  if (delivery.length > 1) {
    traffic.attempts.push(
      ...delivery.map((attempt, place) => ({
        message_id: message.id,
        number: place + 1,
        channel: attempt.channel,
        state: attempt.state,
        reason: attempt.reason,
        receipt: attempt.receipt,
        price: priceOf(attempt.channel),
        started_at: after(attempt.startedSeconds),
        settled_at: after(attempt.settledSeconds),
        receipt_at: afterOrNull(attempt.receiptSeconds),
        delivered_at: afterOrNull(attempt.deliveredSeconds),
      })),
    );
  }
  for (const { kind: entry, seconds, amount } of paid) {
    const entryAt = after(seconds);
    const messages = entry === 'charge' ? 1 : 0;
    traffic.charges.push({ kind: entry, cause: chance.id(entryAt), at: entryAt, amount, messages });
  }
  if (!isSent) {
    const channel = facts.route.length === 1 ? facts.route[0] : 'auto';
    addCall(traffic, {
      chance,
      at: message.settled_at,
      keyId: message.key_id,
      endpoint: kind === 'otp' ? 'otpSend' : 'linkSend',
      phone,
      body: { phone: `+${phone}`, ...asked, channel },
      error: 'delivery_failed',
      facts: { message_id: message.id },
      message,
    });
  }
  return message;
}

type Paid = { kind: TrafficCharge['kind']; seconds: number; amount: number };

/** The first channel that accepts is charged; the charge moves to the one that delivers. */
function chargesOf(
  delivery: Delivery,
  { priceOf, isTest }: { priceOf: (channel: Channel) => number; isTest: boolean },
): Paid[] {
  const accepted = delivery.filter(({ state }) => state === 'accepted');
  const first = accepted[0];
  if (first === undefined || isTest) return [];
  const price = priceOf(first.channel);
  const paid: Paid[] = [{ kind: 'charge', seconds: first.settledSeconds, amount: price }];
  const delivered = accepted.find(({ deliveredSeconds }) => deliveredSeconds !== null);
  if (delivered !== undefined && delivered !== first) {
    const amount = priceOf(delivered.channel) - price;
    paid.push({ kind: 'charge_moved', seconds: delivered.deliveredSeconds as number, amount });
  }
  return paid.filter(({ amount }) => amount !== 0);
}

/** A post to a group is accepted, and there are no receipts for it. */
function acceptedPost(chance: Chance): Delivery {
  return [
    {
      channel: 'telegram',
      state: 'accepted',
      reason: null,
      receipt: null,
      startedSeconds: 0,
      settledSeconds: 0.2 + chance.next() * 0.3,
      receiptSeconds: null,
      deliveredSeconds: null,
    },
  ];
}

/** A message of the last minutes is delivered at once: its fallback would still be ahead. */
function withoutFuture(delivery: Delivery, { at, to }: { at: Date; to: Date }): Delivery {
  if (at.getTime() + OUTCOME_MS < to.getTime()) return delivery;
  const [first] = delivery as [Delivery[number]];
  if (first.receipt === null && first.state === 'accepted') return delivery;
  const deliveredSeconds = first.startedSeconds + 2.5;
  return [
    {
      ...first,
      state: 'accepted',
      reason: null,
      receipt: 'delivered',
      settledSeconds: first.startedSeconds + 0.3,
      receiptSeconds: deliveredSeconds,
      deliveredSeconds,
    },
  ];
}

/** Few customers come often, most of them seldom. */
export function phoneOf(chance: Chance): Phone {
  const customer = Math.floor(chance.next() ** 1.6 * CUSTOMERS);
  const operator = OPERATORS[customer % OPERATORS.length] as string;
  return `7${operator}555${String((customer * 7_919) % 10_000).padStart(4, '0')}` as Phone;
}
