import type { AnswerOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { REQUEST_ENDPOINTS } from '@zhiber/contract/cabinet/messages.ts';
import { type BucketRange, bucketEdges } from '../../almaty.ts';
import type { Context } from '../../context.ts';
import type { CompanyId } from '../../ids.ts';
import { countByBucket, countErrors } from '../usage/count-errors.ts';
import { openUsage } from '../usage/open-usage.ts';

export type RequestErrors = Omit<AnswerOf<typeof REQUEST_ENDPOINTS.requestErrors>, 'success'>;

/** What calls were answered with: refusals by code, and all by their status over time. */
export async function readRequestErrors(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  range: BucketRange,
): Promise<RequestErrors> {
  const edges = bucketEdges(range, ctx.clock.now());
  const usage = await openUsage(ctx, companyId, edges[0] as Date);
  const calls = await usage.calls({ edges });
  const sums = await usage.sends({ edges });
  const count = (from: number, below: number) =>
    countByBucket(calls, edges.length - 1, { from, below });
  const [ok, refused, failed] = [count(100, 400), count(400, 500), count(500, 600)];
  const sent = (bucket: number) =>
    sums.reduce((sum, row) => sum + (row.bucket === bucket ? row.accepted : 0), 0);
  return {
    errors: countErrors(calls),
    buckets: edges.slice(0, -1).map((at, bucket) => ({
      at: at.toISOString(),
      ok: (ok?.[bucket] ?? 0) + sent(bucket),
      refused: refused?.[bucket] ?? 0,
      failed: failed?.[bucket] ?? 0,
    })),
  };
}
