import type { Channel } from '@zhiber/contract/api/channel.ts';
import { messagePrice } from '@zhiber/contract/api/prices.ts';
import { codeText } from '@zhiber/contract/message/message-text.ts';
import { FREE_PERMIT } from '../abuse/pumping.ts';
import type { ContentKind } from '../channels/channel.ts';
import type { Context } from '../context.ts';
import { retryWhileDatabaseAway } from '../db/retry-conflicts.ts';
import { newId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { Phone } from '../phone.ts';
import { type Composed, type Draft, deliver } from './deliver.ts';
import { askForSms } from './guard-sms.ts';
import type { AttemptState } from './settle-store.ts';
import { storedParts } from './sms-price.ts';
import {
  type Claim,
  checkLater,
  claimFallback,
  endWatch,
  settleFallback,
  type WatchedMessage,
} from './watch-store.ts';

/**
 * The lease of a claimed attempt: twice the time a delivery may take. An attempt that is not
 * settled by then counts as unknown.
 */
export const LEASE_SECONDS = 20;

/** A broadcast that is paused, or in its quiet hours, is looked at again after this time. */
const LATER_SECONDS = 10 * 60;

type Claimed = Extract<Claim, { verdict: 'claimed' }>;

/**
 * Sends the same code (or link, or broadcast) by the next channel of the route, until one accepts or
 * none is left. A channel is claimed in the database before the call, so it is never called twice for a
 * message, neither by two nodes nor after a crash.
 */
export async function fallBack(ctx: Context, message: WatchedMessage): Promise<void> {
  const key = await ctx.keys.read(message.key_id);
  const prices = await ctx.prices.read(message.company_id);
  const route = message.route.split(',').filter((name) => name !== '') as Channel[];
  const phone = message.recipient as Phone;
  const isStopped = key.isRevoked || key.isSuspended;
  const smsParts = storedParts(ctx.config, key, { ...message, link: linkOf(ctx, message) });
  let attempt = message.attempt;

  for (const [index, channel] of route.entries()) {
    // A channel that was disabled after the send is never used.
    if (!key.channels.includes(channel) || isStopped) continue;
    // The guard is about codes that strangers ask for; a broadcast has recipients of the company.
    const isGuarded = channel === 'sms' && message.kind !== 'broadcast';
    const smsPermit = isGuarded ? askForSms(ctx, { key, phone }) : FREE_PERMIT;
    if (!smsPermit.isAllowed) continue;
    const price = message.is_test ? 0 : messagePrice(prices, channel, smsParts);
    const claim = await claimFallback(ctx.db, message, {
      attempt,
      channel,
      route: route.slice(index + 1).join(','),
      price,
      leaseSeconds: LEASE_SECONDS,
      now: ctx.clock.now(),
    });
    if (claim.verdict !== 'claimed') smsPermit.cancel();
    if (claim.verdict === 'gone') return;
    if (claim.verdict === 'later') return await checkLater(ctx.db, message, LATER_SECONDS);
    if (claim.verdict === 'over') break;
    if (claim.verdict !== 'claimed') continue;

    attempt += 1;
    const draft = toDraft(ctx, { message, key, claim, attempt });
    const { attempts, accepted } = await deliver(ctx, draft, [{ channel, price }]);
    const outcome = {
      attempt,
      state: attempts[0]?.state ?? 'unavailable',
      price,
      hasReceipts: accepted?.hasNoReceipts !== true,
      providerId: attempts[0]?.providerId ?? null,
      reason: attempts[0]?.reason ?? null,
      checkSeconds: key.fallbackSeconds,
      cause: newId(ctx.clock.now().getTime()),
    };
    await retryWhileDatabaseAway(() => settleFallback(ctx.db, message, outcome));
    if (accepted !== undefined) return;
    if (endsBroadcast(message, outcome.state)) break;
  }
  await endWatch(ctx.db, message);
}

/** Whether a broadcast ends here: another channel could deliver a second copy. */
export function endsBroadcast({ kind }: WatchedMessage, state: AttemptState): boolean {
  return kind === 'broadcast' && state === 'unknown';
}

/**
 * Rebuilds the draft of a message from what is stored. The template of a broadcast is not: a provider
 * that needs one refuses it, and the next channel is tried.
 */
export function toDraft(
  ctx: Pick<Context, 'urls' | 'secrets'>,
  parts: {
    message: WatchedMessage;
    key: ApiKey;
    claim: Pick<Claimed, 'sealed' | 'code_seconds'>;
    attempt: number;
  },
): Draft {
  const { message, key, claim, attempt } = parts;
  const link = linkOf(ctx, message);
  const code = claim.sealed === null ? undefined : ctx.secrets.unseal(claim.sealed);
  const compose = (channel: Channel): Composed =>
    code === undefined
      ? { text: message.body ?? '', link }
      : { text: codeText(key, { channel, code, link }), code, link };
  return {
    ref: { companyId: message.company_id, messageId: message.id, attempt },
    keyId: message.key_id,
    isTest: message.is_test,
    sender: key.senderName ?? undefined,
    to: { phone: message.recipient as Phone },
    content: storedContent(message),
    isBulk: message.kind === 'broadcast' || undefined,
    language: key.language,
    ttlSeconds: claim.code_seconds ?? undefined,
    compose,
  };
}

function linkOf(
  { urls }: Pick<Context, 'urls'>,
  { slug }: Pick<WatchedMessage, 'slug'>,
): string | undefined {
  return slug === null ? undefined : `${urls.shortLinkBase}/${slug}`;
}

/** The kind of content of a message with a phone. */
export function storedContent({ kind, slug }: Pick<WatchedMessage, 'kind' | 'slug'>): ContentKind {
  if (kind === 'broadcast') return 'broadcast';
  if (kind !== 'otp') return 'text';
  return slug === null ? 'code' : 'code_with_link';
}
