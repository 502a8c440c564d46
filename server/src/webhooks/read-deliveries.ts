import type { EventType } from '@zhiber/contract/api/events.ts';
import type { Context } from '../context.ts';
import { isId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { callHeaders } from './call-headers.ts';
import {
  type Delivery,
  type DeliveryState,
  findDeliveries,
  findDelivery,
  findTries,
  type LoggedTry,
} from './delivery-store.ts';
import { type EndpointRef, findEndpoint } from './endpoint-store.ts';
import { bodyOfEvent, readWebhookId, webhookIdOf } from './event-body.ts';

type Ctx = Pick<Context, 'db'>;

const PAGE_SIZE = 50;

export type DeliveriesQuery = EndpointRef & {
  state?: DeliveryState | undefined;
  type?: EventType | undefined;
  since?: string | undefined;
  cursor?: string | undefined;
};

/** A page of what was or will be sent to an endpoint, newest first, and the cursor of the next. */
export async function listDeliveries(
  ctx: Ctx,
  { state, type, since, cursor, ...ref }: DeliveriesQuery,
): Promise<{ deliveries: Delivery[]; next: string | null }> {
  const { id } = await readOwn(ctx, ref);
  if (cursor !== undefined && !isId(cursor)) {
    throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
  }
  const found = await findDeliveries(ctx.db, id, {
    state,
    type,
    since: since === undefined ? undefined : new Date(since),
    before: cursor,
    limit: PAGE_SIZE + 1,
  });
  const deliveries = found.slice(0, PAGE_SIZE);
  return { deliveries, next: found.length > PAGE_SIZE ? (deliveries.at(-1)?.id ?? null) : null };
}

export type ShownTry = LoggedTry & {
  headers: Record<string, string>;
  body: string;
  /** The reader may not see the phone that was sent. */
  isMasked: boolean;
  /** What was signed; masked like the body. */
  signed: string;
};

/** One delivery with the log of its tries. */
export async function readDelivery(
  ctx: Ctx,
  { webhookId, canSeePhones, ...ref }: EndpointRef & { webhookId: string; canSeePhones: boolean },
): Promise<Delivery & { url: string; tryLog: ShownTry[] }> {
  const { id, url } = await readOwn(ctx, ref);
  const eventId = readWebhookId(webhookId);
  const found = eventId === undefined ? undefined : await findDelivery(ctx.db, id, eventId);
  if (found === undefined) throw new Problem('not_found');
  const { event, ...delivery } = found;
  const tries = await findTries(ctx.db, id, event.id);
  const tryLog = tries.map((each) => {
    const isMasked = each.hasPhone && event.phone !== null && !canSeePhones;
    const body = bodyOfEvent(event, { hasPhone: each.hasPhone && !isMasked });
    const signature = {
      'webhook-id': webhookIdOf(event.id),
      'webhook-timestamp': String(each.signedAt),
      'webhook-signature': each.signature,
    };
    return {
      ...each,
      headers: callHeaders(signature),
      body,
      isMasked,
      signed: `${signature['webhook-id']}.${each.signedAt}.${body}`,
    };
  });
  return { ...delivery, url, tryLog };
}

async function readOwn(ctx: Ctx, ref: EndpointRef) {
  const endpoint = await findEndpoint(ctx.db, ref);
  if (endpoint === undefined) throw new Problem('not_found');
  return endpoint;
}
