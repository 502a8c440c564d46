import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { findKey } from '../keys/find-key.ts';
import type { KeyBySecret } from '../keys/key-store.ts';
import { noteUse } from '../keys/note-use.ts';
import { checkOrigin } from '../keys/origin.ts';
import type { RateLimiter } from '../limits/rate.ts';
import { Problem } from '../problem.ts';
import { countOf } from './header-count.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Set once the caller is known; revoked keys included, so that the refusal can be looked up.
     */
    apiKey: ApiKey | undefined;
  }
}

/** Whose request this is: key, then its origin, then its rate. Runs before the body is read. */
export async function authenticate(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { key, isPrevious } = await keyOf(ctx, request);
  noteUse(ctx, key.id, isPrevious);
  if (key.isTest) reply.header('x-test-mode', '1');
  if (key.domain !== null) {
    const { origin, referer } = request.headers;
    const verdict = checkOrigin(key.domain, { origin, referer });
    if (verdict === 'missing') throw new Problem('origin_required');
    if (verdict === 'foreign') throw new Problem('origin_not_allowed');
  }
  limitRate(ctx, limiter, key, reply);
}

/** The key of a request, or the 401 it is refused with. */
export async function keyOf(ctx: Context, request: FastifyRequest): Promise<KeyBySecret> {
  const found = await findKey(ctx.db, readBearer(request));
  if (found === undefined) throw new Problem('invalid_api_key');
  request.apiKey = found.key;
  if (found.key.isRevoked) throw new Problem('key_revoked');
  return found;
}

function readBearer(request: FastifyRequest): string {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization.trim() === '') {
    throw new Problem('missing_api_key');
  }
  // Node keeps the first of two such headers and says nothing; which one counts must not be a
  // guess.
  if (countOf(request.raw, 'authorization') > 1) throw new Problem('invalid_api_key');
  const match = /^bearer +(\S+) *$/i.exec(authorization);
  if (match?.[1] === undefined) throw new Problem('invalid_api_key');
  return match[1];
}

/** Counts a call of a key, and refuses it when there were too many in the last minute. */
export function limitRate(
  ctx: Pick<Context, 'config'>,
  limiter: RateLimiter,
  key: ApiKey,
  reply?: FastifyReply,
): void {
  const perMinute = key.ratePerMinute ?? ctx.config.apiRatePerMinute;
  if (perMinute === undefined) return;
  const verdict = limiter.take(key.id, perMinute);
  reply?.header('ratelimit-policy', `"key";q=${perMinute};w=60`);
  reply?.header('ratelimit', `"key";r=${verdict.remaining};t=${verdict.waitSeconds}`);
  if (!verdict.isAllowed) {
    throw new Problem('api_rate_limited', { retry_after: verdict.waitSeconds });
  }
}
