import type { Context } from '../../context.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { noteUse } from '../../keys/note-use.ts';
import type { RateLimiter } from '../../limits/rate.ts';
import { limitRate } from '../auth.ts';
import { toErrorReply } from '../errors.ts';
import { type Logged, logCall, noteFailure } from '../log-request.ts';
import type { Operation } from './endpoint.ts';

type Outside = { ctx: Context; limiter: RateLimiter };
type OutsideCall = { key: ApiKey; operation: Operation; body: object; requestId: string };
type OutsideAnswer = { status: number; body: Record<string, unknown> };

/** One call of the API, answered and logged as if it had come from outside with that key. */
export async function runOutside(
  outside: Outside,
  call: OutsideCall,
): Promise<OutsideAnswer & { duration_ms: number }> {
  const { key, operation, requestId } = call;
  const logged: Logged = {};
  const startedMs = performance.now();
  const { status, body } = await answerOutside(outside, call, logged);
  const durationMs = performance.now() - startedMs;
  const path = `/api${operation.path}`;
  logCall(outside.ctx, { key, requestId, path, status, durationMs, logged });
  return { status, body, duration_ms: Math.round(durationMs) };
}

async function answerOutside(
  { ctx, limiter }: Outside,
  { key, operation, body, requestId }: OutsideCall,
  logged: Logged,
): Promise<OutsideAnswer> {
  noteUse(ctx, key.id);
  try {
    limitRate(ctx, limiter, key);
    const result = await operation.run(ctx, { key, body, requestId, logged });
    if ('kept' in result) return { ...result.kept, body: JSON.parse(result.kept.body) };
    return { status: 200, body: { ...result.success } };
  } catch (error) {
    const problem = noteFailure(ctx, error, { requestId, logged });
    const { status, body } = toErrorReply(problem, { requestId, publicUrl: ctx.urls.publicUrl });
    return { status, body };
  }
}
