import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_EXAMPLES, type EventType } from '@zhiber/contract/api/events.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId } from '../ids.ts';
import { bodyOfEvent, webhookIdOf } from './event-body.ts';
import { insertSample, keepListening, takeListened } from './listener-store.ts';
import { webhookSecretOf } from './webhook-secret.ts';

type Ctx = Pick<Context, 'db' | 'secrets' | 'channels' | 'clock'>;

const TAKEN_MAX = 100;
const PAUSE_MS = 250;

export type ListenedEvent = { id: string; type: EventType; body: string };

/** The secret with which a terminal signs what it forwards. */
export function listenerSecretOf({ secrets }: Pick<Context, 'secrets'>, companyId: CompanyId) {
  return webhookSecretOf(secrets.macOfListener(companyId));
}

/**
 * Waits for events of a company, up to a time. Outside the sandbox only those of test keys: whoever
 * has a test key must not follow real messages.
 */
export async function listenToEvents(
  ctx: Ctx,
  {
    companyId,
    events,
    waitMs,
    signal,
  }: {
    companyId: CompanyId;
    events: readonly EventType[];
    waitMs: number;
    signal: AbortSignal;
  },
): Promise<ListenedEvent[]> {
  const endpointId = await keepListening(ctx.db, companyId, events);
  const endMs = performance.now() + waitMs;
  const options = { limit: TAKEN_MAX, onlyTest: !ctx.channels.isSandbox };
  for (;;) {
    const taken = await takeListened(ctx.db, endpointId, options);
    if (taken.length > 0 || performance.now() >= endMs || signal.aborted) {
      return taken.map((event) => ({
        id: webhookIdOf(event.id),
        type: event.type,
        body: bodyOfEvent(event, { hasPhone: false }),
      }));
    }
    await pause(PAUSE_MS);
  }
}

const SAMPLE_PHONE = '77011234567';

/** Makes an event that did not happen. Returns its `webhook-id`, and how many endpoints get it. */
export async function triggerEvent(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  type: EventType,
): Promise<{ id: string; endpoints: number }> {
  const id = newId(ctx.clock.now().getTime());
  const example = EVENT_EXAMPLES[type];
  const phone = 'phone' in example ? SAMPLE_PHONE : null;
  const endpoints = await insertSample(ctx.db, { id, companyId, type, phone, data: example });
  return { id: webhookIdOf(id), endpoints };
}
