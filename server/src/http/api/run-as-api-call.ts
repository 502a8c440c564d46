import type { RateLimiter } from '../../abuse/rate.ts';
import type { Context } from '../../context.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { toErrorReply } from '../transport/errors.ts';
import { limitRate } from './authenticate.ts';
import type { Operation } from './endpoint.ts';
import { type Logged, logCall, noteFailure } from './log-request.ts';

type ApiDeps = { ctx: Context; limiter: RateLimiter };
type ApiCall = { key: ApiKey; operation: Operation; body: object; requestId: string };
type ApiAnswer = { status: number; body: Record<string, unknown> };

/** Runs one API call inside the process, answered and logged as if it came over HTTP. */
export async function runAsApiCall(
  deps: ApiDeps,
  call: ApiCall,
): Promise<ApiAnswer & { duration_ms: number }> {
  const { key, operation, requestId } = call;
  const logged: Logged = {};
  const startedMs = performance.now();
  const { status, body } = await answerCall(deps, call, logged);
  const durationMs = performance.now() - startedMs;
  logged.answer = body;
  const path = `/api${operation.path}`;
  logCall(deps.ctx, { key, requestId, path, status, durationMs, logged });
  return { status, body, duration_ms: Math.round(durationMs) };
}

async function answerCall(
  { ctx, limiter }: ApiDeps,
  { key, operation, body, requestId }: ApiCall,
  logged: Logged,
): Promise<ApiAnswer> {
  ctx.keys.noteUse(key.id);
  try {
    limitRate(ctx, limiter, key);
    const result = await operation.run(ctx, { key, body, requestId, logged });
    if ('kept' in result) return { ...result.kept, body: JSON.parse(result.kept.body) };
    return { status: 200, body: { ...result.success } };
  } catch (error) {
    const problem = noteFailure(error, logged);
    const { status, body } = toErrorReply(problem, { requestId, publicUrl: ctx.urls.publicUrl });
    return { status, body };
  }
}
