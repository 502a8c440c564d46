import type { Channel } from '@zhiber/contract/api/channel.ts';
import { SENT_LINK_TTL_SECONDS } from '@zhiber/contract/api/limits.ts';
import type { Prices } from '@zhiber/contract/api/prices.ts';
import {
  needsLink,
  type ParsedBroadcast,
  parseBroadcast,
} from '@zhiber/contract/message/broadcast-text.ts';
import type { Context } from '../../context.ts';
import { findSmsRefusal } from '../../delivery/check-recipient.ts';
import { chooseBroadcastRoute } from '../../delivery/choose-route.ts';
import { chargedParts } from '../../delivery/sms-price.ts';
import { newId } from '../../ids.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { newSlug } from '../../links/slug.ts';
import { type Phone, parsePhone } from '../../phone.ts';
import { makeToken } from '../unsubscribe/unsubscribe-token.ts';
import {
  claimRecipients,
  lockWaiting,
  type RecipientClaim,
  type StoredBroadcast,
  type WaitingRow,
} from './broadcast-store.ts';
import { type ComposedRecipient, composeRecipient } from './compose-recipient.ts';

/** A recipient whose message is stored and whose tokens are held: it has to be sent now. */
export type ClaimedRecipient = ComposedRecipient & {
  number: number;
  messageId: RecipientClaim['messageId'];
  phone: Phone;
  link: string | undefined;
};

export type Batch = {
  claimed: readonly ClaimedRecipient[];
  /** No recipient is left that this node could take. */
  isDry: boolean;
  /** The pace or the tokens allowed fewer than were wanted. */
  isHeldBack: boolean;
};

/** After this time the watch checks a message: by then it is settled, or its process has died. */
const CHECK_SECONDS = 31;

/**
 * Takes recipients that wait, in one transaction: locks them, composes their texts, and stores their
 * messages with their holds. What is not committed was never taken.
 */
export async function claimBatch(
  ctx: PlanContext & Pick<Context, 'bulk'>,
  broadcast: StoredBroadcast,
  options: { key: ApiKey; prices: Prices; limit: number },
): Promise<Batch> {
  const { key, prices, limit } = options;
  const first = broadcast.channels[0] as Channel;
  const parsed = parseBroadcast({
    text: broadcast.text,
    template: broadcast.whatsappTemplate,
    columns: broadcast.columns,
    language: key.language,
  });
  return await ctx.bulk.transaction(async (tx) => {
    const rows = await lockWaiting(tx, broadcast.id, limit);
    if (rows.length === 0) return { claimed: [], isDry: true, isHeldBack: false };
    const planned = rows.map((row) => planRecipient(ctx, { broadcast, parsed, prices, row }));
    const verdicts = await claimRecipients(
      tx,
      broadcast,
      planned.map(({ claim }) => claim),
      {
        keyId: key.id,
        linkSeconds: SENT_LINK_TTL_SECONDS,
        checkSeconds: CHECK_SECONDS,
        channel: first,
        ratePerSecond: ctx.channels.adapter(first, false)?.ratePerSecond,
        stepSeconds: stepSecondsOf(broadcast),
      },
    );
    const claimed = planned.flatMap(({ recipient }, i) => {
      const { verdict, held } = verdicts[i] ?? { verdict: 'later', held: 0 };
      if (verdict !== 'claimed') return [];
      // Only channels that the hold covers.
      return [{ ...recipient, route: recipient.route.filter((step) => step.price <= held) }];
    });
    return {
      claimed,
      isDry: rows.length < limit,
      isHeldBack: verdicts.some(({ verdict }) => verdict === 'later' || verdict === 'short'),
    };
  });
}

/** The time between two recipients of a broadcast that is spread. */
export function stepSecondsOf({ spreadMinutes, recipients }: StoredBroadcast): number | undefined {
  if (spreadMinutes === null || recipients === null || recipients === 0) return undefined;
  return (spreadMinutes * 60) / recipients;
}

type PlanContext = Pick<Context, 'channels' | 'urls' | 'clock' | 'config' | 'secrets'>;

function planRecipient(
  ctx: PlanContext,
  {
    broadcast,
    parsed,
    prices,
    row,
  }: { broadcast: StoredBroadcast; parsed: ParsedBroadcast; prices: Prices; row: WaitingRow },
): { claim: RecipientClaim; recipient: ClaimedRecipient } {
  const { channels, url } = broadcast;
  const { shortLinkBase } = ctx.urls;
  const messageId = newId(ctx.clock.now().getTime());
  const slug = url !== null && needsLink(parsed, channels) ? newSlug() : null;
  const link = slug === null ? null : `${shortLinkBase}/${slug}`;
  const unsubscribeUrl = `${shortLinkBase}/u/${makeToken(ctx.secrets, row.rowId)}`;
  const facts = parsePhone(`+${row.phone}`);
  const open = chooseBroadcastRoute({
    wanted: channels,
    smsRefusal: facts === undefined ? 'invalid_phone' : findSmsRefusal(ctx.config, facts),
    isTest: false,
    channels: ctx.channels,
    prices,
  });
  const composed = composeRecipient(broadcast, parsed, {
    route: open,
    facts: { cells: row.cells, link, unsubscribeUrl },
  });
  const smsParts = chargedParts(ctx.config, () => composed.texts.sms ?? '');
  const route = composed.route.map((step) =>
    step.channel === 'sms' ? { ...step, price: step.price * smsParts } : step,
  );
  return {
    claim: {
      number: row.number,
      messageId,
      body: composed.body,
      skip: route.length > 0 ? null : open.length > 0 ? 'text_too_long' : 'no_channel',
      slug,
      route: route.map(({ channel }) => channel),
      prices: route.map(({ price }) => price),
    },
    recipient: {
      ...composed,
      route,
      number: row.number,
      messageId,
      phone: row.phone,
      link: link ?? undefined,
    },
  };
}
