import type { Channel } from '@zhiber/contract/api/channel.ts';
import { readPricesAt } from '../billing/price-cache.ts';
import type { AcceptanceQuery, Accepted } from '../channels/channel.ts';
import type { Context } from '../context.ts';
import { hasOpenClaim } from '../idempotency/idempotency-store.ts';
import { timeOfId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import type { Route } from './choose-route.ts';
import { askWithDeadline, deliver } from './deliver.ts';
import { storedContent, toDraft } from './fall-back.ts';
import { toSettlement } from './send-by-route.ts';
import type { SettledAttempt, Settlement } from './settle-store.ts';
import { findAbandonedFallback, isBroadcastSendable, type WatchedMessage } from './watch-store.ts';

const INTERRUPTED = 'Обработка прервана';

/**
 * The settlement of a send whose process ended before it settled. Its caller never got a success,
 * so it is free and is not sent now. The exception is a request with an Idempotency-Key, which can
 * still be answered with a success: if a channel confirms that it has the message, it is charged.
 * Nobody waits for the answer to a broadcast, so that is finished.
 */
export async function recoverSend(ctx: Context, message: WatchedMessage): Promise<Settlement> {
  const channels = message.route.split(',') as Channel[];
  if (message.kind === 'broadcast') return await recoverBroadcast(ctx, message, channels);
  const canBeAsked = channels.some(
    (channel) => ctx.channels.adapter(channel, message.is_test)?.findAccepted !== undefined,
  );
  const isAskedFor = message.kind !== 'group' && canBeAsked;
  const attempts =
    isAskedFor && (await hasOpenClaim(ctx.db, message.id))
      ? await findAcceptedAttempts(ctx, message, await affordableRoute(ctx, message, channels))
      : [];
  return settlementOfFound(message, channels, attempts);
}

function settlementOfFound(
  message: WatchedMessage,
  channels: readonly Channel[],
  attempts: SettledAttempt[],
): Settlement {
  const found = attempts.at(-1);
  if (found === undefined || found.providerId === null) return toFreeSettlement(message);
  const { channel, price, providerId } = found;
  return toSettlement(toRequest(message, channels), {
    attempts,
    accepted: { channel, price, providerId },
  });
}

function toRequest({ company_id, id }: WatchedMessage, channels: readonly Channel[]) {
  return {
    key: { companyId: company_id },
    messageId: id,
    route: channels.map((channel) => ({ channel, price: 0 })),
    fallsBack: true,
  };
}

/**
 * Finishes a broadcast message whose process died after the claim. With one channel it may be sent
 * again, where the adapter can avoid a duplicate. With several it is only asked for: the first may
 * have refused it then and accept it now, while another one has it.
 */
async function recoverBroadcast(
  ctx: Context,
  message: WatchedMessage,
  channels: readonly Channel[],
): Promise<Settlement> {
  const key = await ctx.keys.read(message.key_id);
  const route = await affordableRoute(ctx, message, channels);
  const mayBeSent =
    channels.length === 1 &&
    route.length === 1 &&
    !key.isRevoked &&
    !key.isSuspended &&
    (await isBroadcastSendable(ctx.db, message));
  if (!mayBeSent) {
    return settlementOfFound(message, channels, await findAcceptedAttempts(ctx, message, route));
  }
  const claim = { sealed: null, code_seconds: null };
  const draft = toDraft(ctx, { message, key, claim, attempt: 1 });
  return toSettlement(toRequest(message, channels), await deliver(ctx, draft, route, 'recover'));
}

function toFreeSettlement({ company_id, id }: WatchedMessage): Settlement {
  return {
    companyId: company_id,
    id,
    state: 'unknown',
    channel: null,
    price: 0,
    providerId: null,
    reason: INTERRUPTED,
    route: '',
    attempts: [],
  };
}

/** With the prices of the send: its id has the time. No more than the hold may be charged. */
async function affordableRoute(
  ctx: Context,
  message: WatchedMessage,
  channels: readonly Channel[],
): Promise<Route> {
  const prices = await readPricesAt(ctx.db, message.company_id, timeOfId(message.id));
  return channels
    .map((channel) => ({ channel, price: message.is_test ? 0 : prices[channel] }))
    .filter((step) => step.price <= message.hold);
}

/** Asks the channels in the order they were tried, up to the one that has the message. */
async function findAcceptedAttempts(
  ctx: Context,
  message: WatchedMessage,
  route: Route,
): Promise<SettledAttempt[]> {
  const attempts: SettledAttempt[] = [];
  for (const { channel, price } of route) {
    const accepted = await findAccepted(ctx, message, { channel, attempt: attempts.length + 1 });
    attempts.push({
      channel,
      price,
      state: accepted === undefined ? 'unknown' : 'accepted',
      reason: accepted === undefined ? INTERRUPTED : null,
      providerId: accepted?.providerId ?? null,
      startedSecondsAgo: 0,
      settledSecondsAgo: 0,
    });
    if (accepted !== undefined) break;
  }
  return attempts;
}

async function findAccepted(
  ctx: Context,
  message: WatchedMessage,
  { channel, attempt }: { channel: Channel; attempt: number },
): Promise<Accepted | undefined> {
  const adapter = ctx.channels.adapter(channel, message.is_test);
  const question: AcceptanceQuery = {
    ref: { companyId: message.company_id, messageId: message.id, attempt },
    isTest: message.is_test,
    to: { phone: message.recipient as Phone },
    content: storedContent(message),
  };
  return await askWithDeadline(ctx, (signal) => adapter?.findAccepted?.(question, signal));
}

/**
 * Finishes a fallback that was claimed but not settled. Its caller already got a success, so the
 * channel may be called again where its adapter can avoid a duplicate (`recover`).
 */
export async function recoverFallback(
  ctx: Context,
  message: WatchedMessage,
): Promise<(SettledAttempt & { hasReceipts: boolean }) | undefined> {
  const abandoned = await findAbandonedFallback(ctx.db, message, ctx.clock.now());
  if (abandoned === undefined || message.kind === 'group') return undefined;
  const { channel, price } = abandoned;
  if (ctx.channels.adapter(channel, message.is_test)?.recover === undefined) return undefined;
  const key = await ctx.keys.read(message.key_id);
  if (key.isRevoked || key.isSuspended) return undefined;
  const { attempt } = message;
  const draft = toDraft(ctx, { message, key, claim: abandoned, attempt });
  const { attempts, accepted } = await deliver(ctx, draft, [{ channel, price }], 'recover');
  return attempts[0] && { ...attempts[0], hasReceipts: accepted?.hasNoReceipts !== true };
}
