import type { AnswerOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { KEY_ENDPOINTS } from '@zhiber/contract/cabinet/keys.ts';
import { type BucketRange, bucketEdges } from '../almaty.ts';
import type { Context } from '../context.ts';
import type { CompanyId, KeyId } from '../ids.ts';
import { countByBucket, countErrors, countWrongCodes } from './count-errors.ts';
import { openUsage } from './open-usage.ts';

export type KeyUsage = Omit<AnswerOf<typeof KEY_ENDPOINTS.keyUse>, 'success'>;

/** The usage of a key: its sends and its refused calls. A wrong code is no refusal. */
export async function readKeyUsage(
  ctx: Pick<Context, 'db' | 'clock' | 'usageCounts'>,
  companyId: CompanyId,
  keyId: KeyId,
  range: BucketRange,
): Promise<KeyUsage> {
  const now = ctx.clock.now();
  const edges = bucketEdges(range, now);
  const lastDay = bucketEdges('24h', now);
  const keyIds = [keyId];
  const first = new Date(Math.min(...[edges, lastDay].map(([edge]) => (edge as Date).getTime())));
  const usage = await openUsage(ctx, companyId, first);
  const sums = await usage.sends({ edges, keyIds });
  const calls = await usage.calls({ edges, keyIds });
  const refusals = countByBucket(calls, edges.length - 1, ['refused', 'failed']);
  const sumSends = (rows: typeof sums) => rows.reduce((sum, { sends }) => sum + sends, 0);
  return {
    hours_to_count: usage.hoursToCount,
    sends: sumSends(sums),
    sends_last_day: sumSends(await usage.sends({ edges: lastDay, keyIds })),
    buckets: edges.slice(0, -1).map((at, bucket) => ({
      at: at.toISOString(),
      sends: sumSends(sums.filter((sum) => sum.bucket === bucket)),
      refusals: refusals[bucket] ?? 0,
    })),
    wrong_codes: countWrongCodes(calls).reduce((sum, { count }) => sum + count, 0),
    errors: countErrors(calls),
  };
}

/** Sends of each given key per day, in the last seven days of Almaty, oldest first. */
export type SendsByDay = { days: Map<KeyId, number[]>; hoursToCount: number };

export async function sendsByDay(
  ctx: Pick<Context, 'db' | 'clock' | 'usageCounts'>,
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
