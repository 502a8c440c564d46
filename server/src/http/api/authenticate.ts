import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiter } from '../../abuse/rate.ts';
import type { Context } from '../../context.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import type { KeyBySecret } from '../../keys/key-store.ts';
import { checkOrigin } from '../../keys/origin.ts';
import { Problem } from '../../problem.ts';
import { countHeader } from '../transport/header-count.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the key is found, valid or not, so that the request log keeps refusals too. */
    apiKey: ApiKey | undefined;
  }
}

/** Checks the key, then its origin, then its rate. Runs before the body is read. */
export async function authenticate(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { key, isPrevious } = await keyOf(ctx, request);
  ctx.keys.noteUse(key.id, isPrevious);
  if (key.isTest) reply.header('x-test-mode', '1');
  checkKeyOrigin(key, request);
  limitRate(ctx, limiter, key, reply);
}

/** Finds the key of a request, or throws the Problem for its 401. */
export async function keyOf(ctx: Context, request: FastifyRequest): Promise<KeyBySecret> {
  const found = await ctx.keys.find(readBearer(request));
  if (found === undefined) throw new Problem('invalid_api_key');
  request.apiKey = found.key;
  if (found.isEnded) throw new Problem('invalid_api_key');
  if (found.key.isRevoked || found.key.isExpired) throw new Problem('key_revoked');
  if (found.key.isSuspended) throw new Problem('company_suspended');
  return found;
}

/** Throws unless a key that is bound to a domain is used from there. */
export function checkKeyOrigin({ domain }: ApiKey, { headers }: FastifyRequest): void {
  if (domain === null) return;
  const { origin, referer } = headers;
  const result = checkOrigin(domain, { origin, referer });
  if (result === 'missing') throw new Problem('origin_required');
  if (result === 'foreign') throw new Problem('origin_not_allowed');
}

function readBearer(request: FastifyRequest): string {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization.trim() === '') {
    throw new Problem('missing_api_key');
  }
  // Of two Authorization headers Node silently keeps the first; an ambiguous request is refused.
  if (countHeader(request.raw, 'authorization') > 1) throw new Problem('invalid_api_key');
  const match = /^bearer +(\S+) *$/i.exec(authorization);
  if (match?.[1] === undefined) throw new Problem('invalid_api_key');
  return match[1];
}

/** Counts a call of a key, and throws when there were too many in the last minute. */
export function limitRate(
  ctx: Pick<Context, 'config'>,
  limiter: RateLimiter,
  key: ApiKey,
  reply?: FastifyReply,
): void {
  const perMinute = key.ratePerMinute ?? ctx.config.apiRatePerMinute;
  if (perMinute === undefined) return;
  const rate = limiter.take(key.id, perMinute);
  reply?.header('ratelimit-policy', `"key";q=${perMinute};w=60`);
  reply?.header('ratelimit', `"key";r=${rate.remaining};t=${rate.waitSeconds}`);
  if (!rate.isAllowed) {
    throw new Problem('api_rate_limited', { retry_after: rate.waitSeconds });
  }
}
