import type { Channel } from '@zhiber/contract/api/channel.ts';
import { currentPrices } from '../billing/price-store.ts';
import type { Context } from '../context.ts';
import { untilBack } from '../db/run-again.ts';
import { FREE_TICKET } from '../guard/pumping.ts';
import { newId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { readKey } from '../keys/find-key.ts';
import type { Phone } from '../phone.ts';
import { type Composed, deliver, type Parcel } from './deliver.ts';
import { askForSms } from './guard-sms.ts';
import { codeText } from './message-text.ts';
import {
  type Claim,
  claimFallback,
  endWatch,
  settleFallback,
  type WatchedMessage,
} from './watch-store.ts';

/**
 * After this a claimed attempt that nobody settled is taken for unknown: twice the time a delivery
 * may take.
 */
export const LEASE_SECONDS = 20;

type Claimed = Extract<Claim, { verdict: 'claimed' }>;

/**
 * Sends the same code (or link) by the next channel of the route, until one accepts or none is
 * left. Each channel is claimed in the database before it is asked, so that two nodes, or one that
 * died, never ask it twice.
 */
export async function fallBack(ctx: Context, message: WatchedMessage): Promise<void> {
  const key = await readKey(ctx.db, message.key_id);
  const prices = await currentPrices(ctx.db);
  const route = message.route.split(',').filter((name) => name !== '') as Channel[];
  const phone = message.recipient as Phone;
  let attempt = message.attempt;

  for (const [index, channel] of route.entries()) {
    // A channel switched off since the send is never used.
    if (!key.channels.includes(channel) || key.isRevoked) continue;
    const smsTicket = channel === 'sms' ? askForSms(ctx, { key, phone }) : FREE_TICKET;
    if (!smsTicket.isAllowed) continue;
    const price = message.is_test ? 0 : prices[channel];
    const claim = await claimFallback(ctx.db, message, {
      attempt,
      channel,
      route: route.slice(index + 1).join(','),
      price,
      leaseSeconds: LEASE_SECONDS,
    });
    if (claim.verdict !== 'claimed') smsTicket.giveBack();
    if (claim.verdict === 'gone') return;
    if (claim.verdict === 'over') break;
    if (claim.verdict !== 'claimed') continue;

    attempt += 1;
    const parcel = toParcel(ctx, { message, key, claim, attempt });
    const { attempts, accepted } = await deliver(ctx, parcel, [{ channel, price }]);
    const outcome = {
      attempt,
      state: attempts[0]?.state ?? 'unavailable',
      price,
      providerId: accepted?.providerId ?? null,
      reason: attempts[0]?.reason ?? null,
      lookSeconds: key.fallbackSeconds,
      cause: newId(ctx.clock.now().getTime()),
    };
    await untilBack(() => settleFallback(ctx.db, message, outcome));
    if (accepted !== undefined) return;
  }
  await endWatch(ctx.db, message);
}

/** A message as it was to be sent, put together again from what is stored of it. */
export function toParcel(
  ctx: Pick<Context, 'urls' | 'secrets'>,
  parts: {
    message: WatchedMessage;
    key: ApiKey;
    claim: Pick<Claimed, 'sealed' | 'code_seconds'>;
    attempt: number;
  },
): Parcel {
  const { message, key, claim, attempt } = parts;
  const link = message.slug === null ? undefined : `${ctx.urls.shortLinkBase}/${message.slug}`;
  const code = claim.sealed === null ? undefined : ctx.secrets.unseal(claim.sealed);
  const compose = (channel: Channel): Composed =>
    code === undefined
      ? { text: message.body ?? '', link }
      : { text: codeText(key, { channel, code, link }), code, link };
  return {
    ref: { companyId: message.company_id, messageId: message.id, attempt },
    keyId: message.key_id,
    isTest: message.is_test,
    to: { phone: message.recipient as Phone },
    load: code === undefined ? 'text' : link === undefined ? 'code' : 'code_with_link',
    language: key.language,
    ttlSeconds: claim.code_seconds ?? undefined,
    compose,
  };
}
