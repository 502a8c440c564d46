import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import {
  CODE_LENGTH_DEFAULT,
  CODE_TTL_SECONDS_DEFAULT,
  FALLBACK_SECONDS_MAX,
} from '@zhiber/contract/api/limits.ts';
import type { Context } from '../../context.ts';
import type { CompanyId } from '../../ids.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { findBroadcastKey, putBroadcastKey } from '../../keys/key-store.ts';
import { newToken } from '../../token.ts';

/** The history of messages shows it as the key of a broadcast. */
const KEY_NAME = 'Рассылки';

/**
 * The hidden key by which the broadcasts of a company are sent, with the language and the brand that
 * the company has now. It is created on first use; its secret is thrown away.
 */
export async function readBroadcastKey(
  ctx: Pick<Context, 'db' | 'keys'>,
  companyId: CompanyId,
): Promise<ApiKey> {
  const known = await findBroadcastKey(ctx.db, companyId);
  if (known !== undefined) return await ctx.keys.read(known);
  const id = await putBroadcastKey(ctx.db, {
    companyId,
    name: KEY_NAME,
    isTest: false,
    secretHash: newToken().hash,
    domain: null,
    channels: CHANNELS,
    codeLength: CODE_LENGTH_DEFAULT,
    codeTtlSeconds: CODE_TTL_SECONDS_DEFAULT,
    fallbackSeconds: FALLBACK_SECONDS_MAX,
    ratePerMinute: null,
    monthlyCap: null,
  });
  return await ctx.keys.read(id);
}
