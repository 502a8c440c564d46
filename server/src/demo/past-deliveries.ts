import { HOUR_MS } from '../almaty.ts';
import type { Phone } from '../phone.ts';
import { classOfDuration, DURATION_CLASSES } from '../webhooks/durations.ts';
import { bodyOfEvent, webhookIdOf } from '../webhooks/event-body.ts';
import { signWithAll } from '../webhooks/webhook-secret.ts';
import type { PastEndpointHour, PastEvent, PastTry } from './history-store.ts';
import { createChance } from './random.ts';
import type { Traffic, TrafficMessage } from './traffic-rows.ts';

/** Calls of the webhook are shown for so long. */
const HOURS_SHOWN = 48;
/** The server of the shop was restarted in one of these hours, and answered 503 for a while. */
const RESTART_HOURS_AGO = 27;
const RESTART_SHARE = 0.3;
const RETRY_MS = 5_000;

export type PastDeliveries = {
  events: PastEvent[];
  tries: PastTry[];
  hours: PastEndpointHour[];
};

/** What a webhook was told about the traffic of the last two days, with signed calls. */
export function pastDeliveries(
  { messages, codes }: Pick<Traffic, 'messages' | 'codes'>,
  { now, secret }: { now: Date; secret: string },
): PastDeliveries {
  const since = new Date(now.getTime() - HOURS_SHOWN * HOUR_MS);
  const restartedAt = Math.floor((now.getTime() - RESTART_HOURS_AGO * HOUR_MS) / HOUR_MS) * HOUR_MS;
  const recent = new Map(
    messages.filter(({ created_at: at }) => at >= since).map((message) => [message.id, message]),
  );
  const events = [
    ...[...recent.values()].flatMap(outcomeOf),
    ...codes.flatMap(({ message_id: id, verified_at: at }) => {
      const message = recent.get(id);
      return message === undefined || at === null ? [] : [verified(message, at)];
    }),
  ]
    .filter(({ at }) => at.getTime() + RETRY_MS * 2 < now.getTime())
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const tries = events.flatMap((event) => {
    const hour = Math.floor(event.at.getTime() / HOUR_MS) * HOUR_MS;
    return triesOf(event, { secret, isRestarting: hour === restartedAt });
  });
  return { events, tries, hours: hoursOf(tries) };
}

function outcomeOf(message: TrafficMessage): PastEvent[] {
  const {
    receipt,
    receipt_at: receiptAt,
    delivered_at: deliveredAt,
    settled_at: settledAt,
  } = message;
  if (message.state === 'failed') return [eventOf(message, 'failed', settledAt)];
  if (deliveredAt !== null) return [eventOf(message, 'delivered', deliveredAt)];
  return receipt === 'failed' && receiptAt !== null ? [eventOf(message, 'failed', receiptAt)] : [];
}

function eventOf(message: TrafficMessage, state: 'delivered' | 'failed', at: Date): PastEvent {
  const { id, kind, purpose, channel, charged, reason, recipient } = message;
  return {
    id: createChance(`event ${state} ${id}`).id(at),
    type: `message.${state}`,
    at,
    isTest: message.is_test,
    phone: recipient,
    data: {
      channel,
      message_id: id,
      kind,
      ...(purpose !== null && { purpose }),
      cost: charged,
      state,
      ...(state === 'failed' && reason !== null && { reason }),
    },
  };
}

function verified(message: TrafficMessage, at: Date): PastEvent {
  return {
    id: createChance(`event verified ${message.id}`).id(at),
    type: 'otp.verified',
    at,
    isTest: message.is_test,
    phone: message.recipient,
    data: { message_id: message.id, purpose: message.purpose },
  };
}

function triesOf(
  event: PastEvent,
  { secret, isRestarting }: { secret: string; isRestarting: boolean },
): PastTry[] {
  const chance = createChance(`tries ${event.id}`);
  const body = bodyOfEvent({ ...event, phone: event.phone as Phone | null }, { hasPhone: false });
  const tryAt = (number: number, at: Date, isRefused: boolean): PastTry => {
    const signed = signWithAll([secret], { id: webhookIdOf(event.id), body, at });
    return {
      eventId: event.id,
      number,
      at,
      signedAt: Number(signed['webhook-timestamp']),
      signature: signed['webhook-signature'],
      outcome: isRefused ? 'refused' : 'delivered',
      status: isRefused ? 503 : 200,
      durationMs: Math.round(28 + chance.next() ** 3 * 240),
      answer: isRefused ? 'Service Unavailable' : '{"ok":true}',
    };
  };
  const first = new Date(event.at.getTime() + 200);
  if (!isRestarting || !chance.is(RESTART_SHARE)) return [tryAt(1, first, false)];
  const second = new Date(first.getTime() + RETRY_MS);
  return [tryAt(1, first, true), tryAt(2, second, false)];
}

function hoursOf(tries: readonly PastTry[]): PastEndpointHour[] {
  const hourOf = ({ at }: PastTry) => Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
  return [...Map.groupBy(tries, hourOf)].map(([hour, own]) => {
    const durations = new Array<number>(DURATION_CLASSES).fill(0);
    for (const { durationMs } of own) {
      const place = classOfDuration(durationMs) - 1;
      durations[place] = (durations[place] ?? 0) + 1;
    }
    const delivered = own.filter(({ outcome }) => outcome === 'delivered').length;
    return { hour: new Date(hour), delivered, refused: own.length - delivered, durations };
  });
}
