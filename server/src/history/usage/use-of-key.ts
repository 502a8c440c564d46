import type { AnswerOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { KEY_ENDPOINTS } from '@zhiber/contract/cabinet/keys.ts';
import { type BucketRange, bucketEdges } from '../../almaty.ts';
import type { Context } from '../../context.ts';
import type { CompanyId, KeyId } from '../../ids.ts';
import { countByBucket, countErrors } from './count-errors.ts';
import { openUsage } from './open-usage.ts';

export type KeyUse = Omit<AnswerOf<typeof KEY_ENDPOINTS.keyUse>, 'success'>;

const ANY_REFUSAL = { from: 400, below: 600 };

/** How a key is used: what it has sent, and what was refused to it. */
export async function useOfKey(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  keyId: KeyId,
  range: BucketRange,
): Promise<KeyUse> {
  const now = ctx.clock.now();
  const edges = bucketEdges(range, now);
  const lastDay = bucketEdges('24h', now);
  const keyIds = [keyId];
  const first = new Date(Math.min(...[edges, lastDay].map(([edge]) => (edge as Date).getTime())));
  const usage = await openUsage(ctx, companyId, first);
  const sums = await usage.sends({ edges, keyIds });
  const calls = await usage.calls({ edges, keyIds });
  const refusals = countByBucket(calls, edges.length - 1, ANY_REFUSAL);
  const sent = (rows: typeof sums) => rows.reduce((sum, { sends }) => sum + sends, 0);
  return {
    hours_to_count: usage.hoursToCount,
    sends: sent(sums),
    sends_last_day: sent(await usage.sends({ edges: lastDay, keyIds })),
    buckets: edges.slice(0, -1).map((at, bucket) => ({
      at: at.toISOString(),
      sends: sent(sums.filter((sum) => sum.bucket === bucket)),
      refusals: refusals[bucket] ?? 0,
    })),
    errors: countErrors(calls),
  };
}
