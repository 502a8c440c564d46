import { EVENT_EXAMPLES } from '@zhiber/contract/api/events.ts';
import { TEST_EVENTS_PER_MINUTE_MAX } from '@zhiber/contract/cabinet/webhooks.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { Problem } from '../problem.ts';
import {
  countRecent,
  countReplayed,
  insertDueEvent,
  makeDue,
  makeEventsDue,
  markMissed,
  type ReplayFilter,
} from './delivery-store.ts';
import { type EndpointRef, findEndpoint } from './endpoint-store.ts';
import { webhookIdOf } from './event-body.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

/** Changed in one statement: well below its time limit, with a million deliveries beside them. */
const STEP = 2_000;

export async function countReplay(
  ctx: Ctx,
  { which, since, ...ref }: EndpointRef & ReplayFilter,
): Promise<number> {
  const { id } = await readOn(ctx, ref, { mayBeOff: true });
  return await countReplayed(ctx.db, id, { which, since });
}

/**
 * Makes deliveries due again, under the same `webhook-id`: chosen ones, or all of a state since a
 * time. Returns how many.
 */
export async function replayWebhook(
  ctx: Ctx,
  actor: Actor,
  { chosen, ...ref }: EndpointRef & { chosen: ReplayFilter | readonly string[] },
): Promise<number> {
  const { id, url } = await readOn(ctx, ref);
  const count =
    'which' in chosen
      ? await replaySince(ctx, id, chosen)
      : await makeEventsDue(ctx.db, id, chosen);
  if (count > 0) {
    const after = 'which' in chosen ? { count, which: chosen.which } : { count };
    await ctx.db.transaction((tx) =>
      recordAuditEvent(tx, actor, {
        companyId: ref.companyId,
        action: 'webhook.replayed',
        object: url,
        after,
      }),
    );
  }
  return count;
}

export async function replaySince(
  ctx: Pick<Context, 'db'>,
  endpointId: number,
  filter: ReplayFilter,
): Promise<number> {
  let total = 0;
  let after: string | undefined;
  for (;;) {
    const { count, last } = await makeDue(ctx.db, endpointId, { ...filter, after, limit: STEP });
    total += count;
    if (count < STEP || last === null) return total;
    after = last;
  }
}

/** What waits for an endpoint that was turned off is missed, and can be caught up on. */
export async function skipWaiting(ctx: Pick<Context, 'db'>, endpointId: number): Promise<void> {
  while ((await markMissed(ctx.db, endpointId, STEP)) === STEP);
}

const MINUTE_SECONDS = 60;

/** Sends an event to one endpoint alone. Returns its `webhook-id`. */
export async function testWebhook(ctx: Ctx, ref: EndpointRef): Promise<string> {
  const { id: endpointId } = await readOn(ctx, ref);
  if ((await countRecent(ctx.db, endpointId, 'test.ping')) >= TEST_EVENTS_PER_MINUTE_MAX) {
    throw new Problem('test_event_limited', { retry_after: MINUTE_SECONDS });
  }
  const id = newId(ctx.clock.now().getTime());
  const { companyId } = ref;
  const data = EVENT_EXAMPLES['test.ping'];
  await insertDueEvent(ctx.db, { id, companyId, endpointId, type: 'test.ping', data });
  return webhookIdOf(id);
}

/** An endpoint that is off gets nothing, so nothing can be sent to it again. */
async function readOn(ctx: Ctx, ref: EndpointRef, { mayBeOff = false } = {}) {
  const endpoint = await findEndpoint(ctx.db, ref);
  if (endpoint === undefined) throw new Problem('not_found');
  if (endpoint.offAt !== null && !mayBeOff) throw new Problem('webhook_off');
  return endpoint;
}
