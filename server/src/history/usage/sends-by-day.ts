import { bucketEdges } from '../../almaty.ts';
import type { Context } from '../../context.ts';
import type { CompanyId, KeyId } from '../../ids.ts';
import { openUsage } from './open-usage.ts';

/** Sends of each key in the last seven days of Almaty, oldest first; for every key that is asked. */
export type SendsByDay = { days: Map<KeyId, number[]>; hoursToCount: number };

export async function sendsByDay(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  keyIds: readonly KeyId[],
): Promise<SendsByDay> {
  const edges = bucketEdges('7d', ctx.clock.now());
  const usage = await openUsage(ctx, companyId, edges[0] as Date);
  const days = new Map(keyIds.map((id) => [id, new Array<number>(edges.length - 1).fill(0)]));
  for (const { key_id, bucket, sends } of await usage.sends({ edges, keyIds })) {
    const counts = days.get(key_id);
    if (counts !== undefined) counts[bucket] = (counts[bucket] ?? 0) + sends;
  }
  return { days, hoursToCount: usage.hoursToCount };
}
