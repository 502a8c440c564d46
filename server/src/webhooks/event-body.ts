import { EVENT_DATA, type EventType } from '@zhiber/contract/api/events.ts';
import { maskPhone, type Phone } from '../phone.ts';

/** An event as it is stored. */
export type StoredEvent = {
  id: string;
  type: EventType;
  at: Date;
  isTest: boolean;
  phone: Phone | null;
  data: Readonly<Record<string, unknown>>;
};

const PREFIX = 'evt_';

/** The `webhook-id` of an event: the same in every try and for every endpoint. */
export function webhookIdOf(eventId: string): string {
  return PREFIX + eventId.replaceAll('-', '');
}

/** Undefined for a text that is no `webhook-id` of ours. */
export function readWebhookId(text: string): string | undefined {
  const parts = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    text,
  );
  return parts?.slice(1).join('-');
}

/**
 * The body of a call. The contract says which fields there are and in which order; what else may be
 * stored with an event never leaves.
 */
export function bodyOfEvent(event: StoredEvent, { hasPhone }: { hasPhone: boolean }): string {
  const data: Record<string, unknown> = {};
  for (const name of Object.keys(EVENT_DATA[event.type].properties)) {
    const value = fieldOf(event, name, hasPhone);
    if (value !== undefined) data[name] = value;
  }
  return JSON.stringify({ type: event.type, timestamp: event.at.toISOString(), data });
}

function fieldOf({ phone, isTest, data }: StoredEvent, name: string, hasPhone: boolean): unknown {
  if (name === 'test') return isTest;
  if (name !== 'phone') return data[name];
  if (phone === null) return undefined;
  return hasPhone ? `+${phone}` : maskPhone(phone);
}
